import { randomUUID } from 'node:crypto'
import { ApprovalId } from '../../base/ids.ts'
import { isLow, limitKey, shareOf, type Use } from '../../budgets/budget.ts'
import { BUDGET_TOOL, useIn } from '../../budgets/budget-question.ts'
import type { SessionEvent } from '../../events/session-event.ts'
import type { BudgetState } from './budget-steps.ts'

/**
 * What is to be stored about the use of a budget. A limit of which most is used is noted once, and asked about while a session
 * of the tree is at work, until an answer is given. When all are at rest nothing more is spent, so nobody has to answer.
 */
export function budgetEvents(
  { lowLimits, answeredLimits, budgetQuestions }: BudgetState,
  uses: readonly Use[],
  { isAtWork }: { readonly isAtWork: boolean },
): SessionEvent[] {
  const low = uses.filter((use) => isLow(use) && shareOf(use) < 1)
  const noted = low
    .filter((use) => !lowLimits.includes(limitKey(use)))
    .map((use): SessionEvent => ({ type: 'budget.low', ...use }))
  if (!isAtWork)
    return [
      ...noted,
      ...budgetQuestions.map(({ approvalId }): SessionEvent => ({
        type: 'approval.settled',
        approvalId,
        status: 'withdrawn',
      })),
    ]
  const closed = [...answeredLimits, ...budgetQuestions.map(({ input }) => limitKey(useIn(input)))]
  return [...noted, ...low.filter((use) => !closed.includes(limitKey(use))).map(openedFor)]
}

/** The id is ours and random: a child chooses the ids of its requests, and must not meet it. */
function openedFor({ resource, spent, limit }: Use): SessionEvent {
  const approvalId = ApprovalId.parse(randomUUID())
  return {
    type: 'approval.opened',
    approvalId,
    kind: 'budget',
    requestId: approvalId,
    toolName: BUDGET_TOOL,
    input: { resource, spent, limit },
  }
}
