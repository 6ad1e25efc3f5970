import { z } from 'zod'
import { fields } from '../../input-fields.ts'
import { definePlexusOperation, ONE_SESSION, sessionNamed } from '../plexus-operation.ts'
import { Prompt } from '../start-input.ts'

export const chatAsync = definePlexusOperation({
  name: 'claudecode.chat_async',
  title: 'Say something to a session, and do not wait',
  description:
    'Sends a prompt to a session and returns at once; follow what comes of it with claudecode.poll. While a turn goes on the prompt waits for it (queued: true).',
  input: fields({ ...ONE_SESSION, prompt: Prompt }),
  output: z.looseObject({
    type: z.literal('started'),
    session_id: z.string(),
    queued: z.boolean().optional(),
  }),
  hints: { destructiveHint: true, openWorldHint: true },
  run: async ({ engine, who, atWork }, { prompt, ...named }) => {
    const { id } = await engine.getSession(who, { sessionId: sessionNamed(named) })
    const { queued } = await engine.startTurn(who, { sessionId: id, content: prompt })
    atWork?.note([id])
    return { type: 'started' as const, session_id: id, ...(queued ? { queued } : {}) }
  },
})
