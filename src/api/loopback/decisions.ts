import { z } from 'zod'
import type { PendingQuestion } from '../../engine/engine.ts'
import { strictFields, selector, wholeNumber } from '../../base/input-fields.ts'
import { definedFields } from '../../base/defined-fields.ts'
import { decisionView } from '../views/decision-view.ts'
import type { Context } from '../operation/operation.ts'
import { definePlexusOperation, ONE_SESSION } from '../operation/plexus-operation.ts'
import { snakeKeys } from '../operation/snake-case.ts'

const View = z.looseObject({ id: z.string(), session_id: z.string(), status: z.string() })

export const decisions = definePlexusOperation({
  name: 'loopback.decisions',
  title: 'List decisions',
  description:
    'Lists the decisions in your sessions (or in one of them), newest question first: who decided, when, from which level, in which way, and the question in brief. ' +
    'With approval_id: that question in full, open or settled.',
  input: strictFields({
    ...ONE_SESSION,
    approval_id: selector('approval_id', 'The id of one question; its input is shown too.').optional(),
    limit: wholeNumber('limit', 1, 100, 'How many, at most.').default(20),
    before: selector('before', 'The id of a question: only earlier questions.').optional(),
  }),
  output: z.looseObject({ type: z.literal('ok'), decisions: z.array(View) }),
  hints: { readOnlyHint: true, idempotentHint: true },
  run: async (context, { session_id, name, approval_id, limit, before }) => {
    const { engine, call } = context
    const sessionId = session_id ?? name
    if (approval_id !== undefined) {
      const asked = await engine.getApproval(call, { approvalId: approval_id, sessionId })
      const { input, decision } = asked
      const [view] = await viewsOf(context, [asked])
      return {
        type: 'ok' as const,
        decisions: view ? [{ ...view, input, ...definedFields({ decision }) }] : [],
      }
    }
    const found = await engine.decisions(call, { sessionId, limit, before })
    return { type: 'ok' as const, decisions: await viewsOf(context, found) }
  },
})

/** Views with the names of the asking sessions. */
async function viewsOf(
  { engine, call }: Context,
  all: readonly PendingQuestion[],
): Promise<z.infer<typeof View>[]> {
  const names = new Map<string, string>()
  for (const { sessionId } of all)
    if (!names.has(sessionId))
      names.set(sessionId, (await engine.getSession(call, { sessionId })).name ?? sessionId)
  return all.map((approval) => {
    const { id, status, ...rest } = decisionView(approval)
    const { sessionId, openedAt, settledAt } = approval
    return {
      id,
      session_id: sessionId,
      session_name: names.get(sessionId),
      status,
      ...snakeKeys(rest),
      created_at: Math.floor(openedAt / 1_000),
      ...(settledAt === undefined ? {} : { settled_at: Math.floor(settledAt / 1_000) }),
    }
  })
}
