import {
  type Budget,
  budgetOf,
  isLow,
  isUsedUp,
  mostUsed,
  shareOf,
  type Spent,
} from '../../budgets/budget.ts'
import type { SessionId } from '../../base/ids.ts'
import type { Caller } from '../../callers/access-rules.ts'
import type { Session } from '../../sessions/record/session.ts'
import type { Store } from '../../sessions/record/store.ts'
import { visibleSessions } from '../access/visible-sessions.ts'
import { type SpendingContext, treeBudget } from './tree-budget.ts'

/** The budget of a session, and what it and all sessions below it have spent of it. */
export interface SessionBudget {
  readonly sessionId: SessionId
  readonly budget: Budget
  readonly spent: Spent
  /** `low` from 80 % of a limit on. */
  readonly state: 'free' | 'low' | 'used_up'
}

/** Of the newest sessions that the caller may read, as far as they have a budget of their own. */
export async function listBudgets(
  store: Store,
  caller: Caller,
  context: SpendingContext,
): Promise<SessionBudget[]> {
  return budgetsOf(store, await visibleSessions(store, caller, { limit: MAX_LISTED }), context)
}

/** The share of its most used limit, and the cost, of each tree; for the metrics of a hub. */
export async function treeUses(store: Store, context: SpendingContext) {
  const all = await budgetsOf(store, await store.sessions.list({ limit: MAX_LISTED }), context)
  return all.map(({ sessionId, budget, spent }) => {
    const use = mostUsed(budget, spent)
    return { sessionId, usd: spent.usd, share: use ? shareOf(use) : 0 }
  })
}

async function budgetsOf(
  store: Store,
  sessions: readonly Session[],
  context: SpendingContext,
): Promise<SessionBudget[]> {
  const found: SessionBudget[] = []
  for (const session of sessions) {
    const budget = budgetOf(session)
    if (!budget) continue
    const { spent, use } = await treeBudget(store, session, budget, context)
    const state = isUsedUp(use) ? 'used_up' : isLow(use) ? 'low' : 'free'
    found.push({ sessionId: session.id, budget, spent, state })
  }
  return found
}

const MAX_LISTED = 500
