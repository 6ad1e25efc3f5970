import { z } from 'zod'
import { promptOrCommand } from '../../engine/prompt-or-command.ts'
import { definedFields } from '../../base/defined-fields.ts'
import { strictFields } from '../../base/input-fields.ts'
import { definePlexusOperation, ONE_SESSION, sessionNamed } from '../operation/plexus-operation.ts'
import { CommandName, prompt as promptOf } from '../operation/start-input.ts'

export const chatAsync = definePlexusOperation({
  name: 'claudecode.chat_async',
  title: 'Send a prompt to a session without waiting',
  description:
    'Sends a prompt (or a command) to a session and returns at once; follow the turn with claudecode.poll. While a turn runs, the prompt waits for it (queued: true).',
  input: strictFields({
    ...ONE_SESSION,
    prompt: promptOf('prompt', 'What to say').optional(),
    command: CommandName.optional(),
  }),
  output: z.looseObject({
    type: z.literal('started'),
    session_id: z.string(),
    queued: z.boolean().optional(),
    hint: z.string().optional(),
  }),
  hints: { destructiveHint: true, openWorldHint: true },
  run: async ({ engine, call, memory }, { prompt, command, ...named }) => {
    const said = promptOrCommand('prompt', { content: prompt, command })
    const { id } = await engine.getSession(call, { sessionId: sessionNamed(named) })
    const { queued, hint } = await engine.startTurn(call, { sessionId: id, ...said })
    memory?.noteWorking([id])
    return {
      type: 'started' as const,
      session_id: id,
      ...(queued ? { queued } : {}),
      ...definedFields({ hint }),
    }
  },
})
