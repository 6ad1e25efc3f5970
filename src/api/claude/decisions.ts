import { z } from 'zod'
import type { Approval } from '../../approvals/approval.ts'
import { DecisionView, decisionView } from '../views/decision-view.ts'
import type { Context } from '../operation/operation.ts'

/** What a status shows of what was decided. */
export const Decided = DecisionView.extend({
  createdAt: z.string(),
  settledAt: z.string().optional(),
  input: z.record(z.string(), z.unknown()).optional().describe('Of one question by its id.'),
})
type Decided = z.infer<typeof Decided>

/** In this place of an id it means the last ones. */
export const LAST = 'last'

export async function decisionsOf(
  { engine, who }: Context,
  sessionId: string,
  which: string,
): Promise<Decided[]> {
  if (which === LAST) return (await engine.decisions(who, { sessionId, limit: MOST })).map(decided)
  const asked = await engine.getApproval(who, { approvalId: which, sessionId })
  return [{ ...decided(asked), input: { ...asked.input } }]
}

function decided(approval: Approval): Decided {
  const { openedAt, settledAt } = approval
  return {
    ...decisionView(approval),
    createdAt: new Date(openedAt).toISOString(),
    ...(settledAt === undefined ? {} : { settledAt: new Date(settledAt).toISOString() }),
  }
}

const MOST = 20
