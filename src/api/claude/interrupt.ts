import { z } from 'zod'
import { isAtWork } from '../../sessions/record/at-work.ts'
import { strictFields, selector } from '../../base/input-fields.ts'
import { defineOperation } from '../operation/operation.ts'
import { STATUS, StatusName } from './status-view.ts'

export const interrupt = defineOperation({
  name: 'claude_interrupt',
  title: 'Interrupt a session',
  description:
    'Ends what a session is doing now, like Escape in Claude Code; its open questions and queued messages are withdrawn. The session stays: claude_say resumes it.',
  input: strictFields({ sessionId: selector('sessionId', 'Its id or name.') }),
  output: z.looseObject({ sessionId: z.string(), status: StatusName, hint: z.string() }),
  hints: { idempotentHint: true },
  run: async ({ engine, call }, { sessionId: named }) => {
    const before = await engine.getSession(call, { sessionId: named })
    const { id: sessionId, status } = await engine.interrupt(call, { sessionId: before.id })
    const atWork = isAtWork(before)
    return {
      sessionId,
      status: atWork ? ('interrupted' as const) : STATUS[status],
      hint: atWork ? 'claude_say resumes it.' : 'It was not at work; nothing was interrupted.',
    }
  },
})
