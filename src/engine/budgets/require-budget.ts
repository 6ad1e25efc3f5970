import { AppError } from '../../base/errors.ts'
import { isAtWork } from '../../sessions/record/at-work.ts'
import { type Budget, isUsedUp, RESOURCES, sumOf, type Use, useText } from '../../budgets/budget.ts'
import type { Session } from '../../sessions/record/session.ts'
import type { Store } from '../../sessions/record/store.ts'
import { budgetsAbove, reservedBelow, type SpendingContext, spentOf, type TreeBudget } from './tree-budget.ts'

/** Refuses a turn, or a start below the session, when a budget that it would spend from is used up. */
export async function requireBudget(
  store: Store,
  session: Session,
  context: SpendingContext,
): Promise<readonly TreeBudget[]> {
  const budgets = await budgetsAbove(store, session, context)
  for (const { session: owner, use } of budgets) if (isUsedUp(use)) throw overBudgetError(owner, use)
  return budgets
}

/** A start below a session reserves its budget: what is left above must be enough for it. */
export async function requireReserve(
  store: Store,
  parent: Session,
  wanted: Budget | undefined,
  context: SpendingContext,
): Promise<void> {
  for (const above of await requireBudget(store, parent, context)) {
    if (!wanted) continue
    const reserved = reservedBelow(above, isAtWork, (one) =>
      spentOf(one, context.steadyNow(), context.priceOf(one)),
    )
    const taken = sumOf([above.spent, reserved])
    for (const resource of RESOURCES) {
      const [limit, asked] = [above.budget[resource], wanted[resource]]
      if (limit === undefined || asked === undefined || asked <= limit - taken[resource]) continue
      const left = Math.max(0, limit - taken[resource])
      throw new AppError(
        'over_budget',
        `A budget of ${asked} ${resource} is more than the ${Number(left.toFixed(6))} that the session ${labelOf(above.session)} has left for it; ask for less.`,
        { data: { field: 'budget', resource, left } },
      )
    }
  }
}

function overBudgetError(owner: Session, use: Use): AppError {
  return new AppError('over_budget', overBudgetText(owner, use), {
    data: { sessionId: owner.id, resource: use.resource, spent: use.spent, limit: use.limit },
  })
}

export function overBudgetText(owner: Session, use: Use): string {
  return `The budget of the session ${labelOf(owner)} is used up: ${useText(use)}. Nothing is lost; it continues when its budget is raised.`
}

function labelOf({ name, id }: Session): string {
  return name ?? id
}
