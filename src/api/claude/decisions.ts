import { z } from 'zod'
import type { SessionKey } from '../../base/ids.ts'
import type { PendingQuestion } from '../../engine/engine.ts'
import { DecisionView, decisionView } from '../views/decision-view.ts'
import type { Context } from '../operation/operation.ts'

/** A decision, as a status shows it. */
export const Decided = DecisionView.extend({
  createdAt: z.string(),
  settledAt: z.string().optional(),
  input: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('Only when one question is asked for by its id.'),
})
type Decided = z.infer<typeof Decided>

/** Given instead of the id of a question. */
const LAST = 'last'

export async function decisionsOf(
  { engine, call }: Context,
  sessionId: SessionKey,
  selected: string,
): Promise<Decided[]> {
  if (selected === LAST)
    return (await engine.decisions(call, { sessionId, limit: MAX_DECISIONS })).map(decidedView)
  const asked = await engine.getApproval(call, { approvalId: selected, sessionId })
  return [{ ...decidedView(asked), input: { ...asked.input } }]
}

function decidedView(approval: PendingQuestion): Decided {
  const { openedAt, settledAt } = approval
  return {
    ...decisionView(approval),
    createdAt: new Date(openedAt).toISOString(),
    ...(settledAt === undefined ? {} : { settledAt: new Date(settledAt).toISOString() }),
  }
}

const MAX_DECISIONS = 20
