import { z } from 'zod'
import { standing, Standing } from '../claudecode/view.ts'
import { strictFields, selector } from '../../base/input-fields.ts'
import { waiting } from '../operation/operation.ts'
import { ownQuestions, waitForAny } from '../operation/wait-for-any-session.ts'
import { definePlexusOperation } from '../operation/plexus-operation.ts'
import { ApprovalView, approvalViews } from '../views/approval-view.ts'

export const wait = definePlexusOperation({
  name: 'loopback.wait',
  title: 'Wait until a session needs you',
  description:
    'Waits (25 seconds unless told otherwise) until one of your sessions asks for something or has ended, and returns what is asked (approvals) and which sessions those are. Answer with loopback.respond, read on with claudecode.poll, wait again.',
  input: strictFields({
    session_ids: z
      .array(selector('session_ids', 'An id or a name.'), 'session_ids must be a list of ids or names.')
      .min(1, 'session_ids may not be empty; leave it out to wait for any of your sessions.')
      .max(500, 'session_ids may have at most 500 entries.')
      .optional()
      .describe('Only these; one that has ended already is told at once. All of yours if left out.'),
    known_approvals: z
      .array(selector('known_approvals'), 'known_approvals must be a list of ids.')
      .max(500, 'known_approvals may have at most 500 entries.')
      .optional()
      .describe('Ids of approvals that you leave open: the wait goes on until something else happens.'),
    wait_seconds: waiting('wait_seconds', 'At most so many seconds (50).').default(25),
  }),
  output: z.looseObject({
    type: z.literal('ok'),
    approvals: z.array(ApprovalView),
    sessions: z.array(Standing),
  }),
  hints: { readOnlyHint: true, idempotentHint: true },
  waits: true,
  run: async (context, { session_ids: sessionIds, known_approvals: known, wait_seconds: seconds }) => {
    const { engine, who } = context
    const ready = sessionIds
      ? await engine.waitFor(who, { sessionIds, known, seconds })
      : (await waitForAny(context, () => seconds, known)).ready
    const asking = ready.filter(({ status }) => status === 'waiting')
    const asked = (await Promise.all(asking.map(({ id }) => engine.pending(who, { sessionId: id })))).flat()
    context.atWork?.shows(ready, await ownQuestions(context, ready, asked))
    return {
      type: 'ok' as const,
      approvals: await approvalViews(context, asked),
      sessions: ready.map((session) => standing(session, context.ask)),
    }
  },
})
