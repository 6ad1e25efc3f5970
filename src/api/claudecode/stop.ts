import { z } from 'zod'
import { strictFields } from '../../base/input-fields.ts'
import { definePlexusOperation, ONE_SESSION, sessionNamed } from '../operation/plexus-operation.ts'
import { sessionSummary, SessionSummary } from './session-view.ts'

export const stop = definePlexusOperation({
  name: 'claudecode.stop',
  title: 'Stop a session',
  description:
    'Ends the process of a session with every process that it started. The session and its history stay: claudecode.chat_async resumes it. Sessions below it keep running; the next level above answers their questions.',
  input: strictFields(ONE_SESSION),
  output: SessionSummary.extend({ type: z.literal('ok') }),
  hints: { idempotentHint: true, destructiveHint: true },
  run: async ({ engine, call }, named) => {
    const session = await engine.stopSession(call, { sessionId: sessionNamed(named) })
    return { type: 'ok' as const, ...sessionSummary(session) }
  },
})
