import { z } from 'zod'
import { sessionSummary, SessionSummary } from '../claudecode/session-view.ts'
import { strictFields, selector } from '../../base/input-fields.ts'
import { needsAnswer } from '../../sessions/record/at-work.ts'
import { waiting } from '../operation/operation.ts'
import { ownQuestions, waitForAny } from '../operation/wait-for-any-session.ts'
import { definePlexusOperation } from '../operation/plexus-operation.ts'
import { ApprovalView, approvalViews } from '../views/approval-view.ts'

export const wait = definePlexusOperation({
  name: 'loopback.wait',
  title: 'Wait until a session needs you',
  description:
    'Waits (25 seconds by default) until one of your sessions asks for something or has ended, and returns the questions (approvals) and these sessions. Answer with loopback.respond, read the events with claudecode.poll, wait again.',
  input: strictFields({
    session_ids: z
      .array(selector('session_ids', 'An id or a name.'), 'session_ids must be a list of ids or names.')
      .min(1, 'session_ids may not be empty; leave it out to wait for any of your sessions.')
      .max(500, 'session_ids may have at most 500 entries.')
      .optional()
      .describe(
        'Only these sessions; a session that has ended already ends the wait at once. All of your sessions by default.',
      ),
    known_approvals: z
      .array(selector('known_approvals'), 'known_approvals must be a list of ids.')
      .max(500, 'known_approvals may have at most 500 entries.')
      .optional()
      .describe('Ids of approvals that you leave open: they do not end the wait.'),
    wait_seconds: waiting('wait_seconds', 'How many seconds to wait (at most 50).').default(25),
  }),
  output: z.looseObject({
    type: z.literal('ok'),
    approvals: z.array(ApprovalView),
    sessions: z.array(SessionSummary),
  }),
  hints: { readOnlyHint: true, idempotentHint: true },
  waits: true,
  run: async (context, { session_ids: sessionIds, known_approvals: known, wait_seconds: seconds }) => {
    const { engine, call } = context
    const ready = sessionIds
      ? await engine.waitFor(call, { sessionIds, known, seconds })
      : (await waitForAny(context, () => seconds, known)).ready
    const asking = ready.filter(needsAnswer)
    const asked = (await Promise.all(asking.map(({ id }) => engine.pending(call, { sessionId: id })))).flat()
    context.memory?.noteShown(ready, await ownQuestions(context, ready, asked))
    return {
      type: 'ok' as const,
      approvals: await approvalViews(context, asked),
      sessions: ready.map((session) => sessionSummary(session, context.ask)),
    }
  },
})
