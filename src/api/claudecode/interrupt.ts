import { z } from 'zod'
import { isAtWork } from '../../sessions/record/at-work.ts'
import { strictFields } from '../../base/input-fields.ts'
import { definePlexusOperation, ONE_SESSION, sessionNamed } from '../operation/plexus-operation.ts'
import { sessionSummary, SessionSummary } from './session-view.ts'

export const interrupt = definePlexusOperation({
  name: 'claudecode.interrupt',
  title: 'Interrupt a session',
  description:
    'Ends what a session is doing now, like Escape in Claude Code; its open questions and queued prompts are withdrawn. claudecode.chat_async resumes it.',
  input: strictFields(ONE_SESSION),
  output: SessionSummary.extend({ type: z.literal('ok') }),
  hints: { idempotentHint: true },
  run: async ({ engine, call }, named) => {
    const before = await engine.getSession(call, { sessionId: sessionNamed(named) })
    const session = await engine.interrupt(call, { sessionId: before.id })
    // The child has not ended its turn yet, but it has the request.
    const wasAtWork = isAtWork(before)
    return {
      type: 'ok' as const,
      ...sessionSummary(wasAtWork ? { ...session, status: 'interrupted' } : session),
    }
  },
})
