import type { SessionKey } from '../../base/ids.ts'
import {
  type Budget,
  budgetOf,
  leftOf,
  mostUsed,
  NOTHING,
  type Spent,
  sumOf,
  type Use,
} from '../../budgets/budget.ts'
import type { RemovedSession } from '../../sessions/record/session-store.ts'
import type { Session } from '../../sessions/record/session.ts'
import { workedMs } from '../../sessions/spending/work-time.ts'
import type { Store } from '../../sessions/record/store.ts'
import { ancestorSessions } from '../access/session-access.ts'
import { descendantSessions } from '../access/visible-sessions.ts'

/** The fields of a session that say what it has spent; they are kept when it is removed. */
export type Spender = Pick<Session, 'model' | 'costUsd' | 'spent'>

/** What one session has spent. The cost of a running turn is not known yet: its tokens are taken at this price. */
export function spentOf(session: Spender, steadyNow: number, pricePerToken = 0): Spent {
  const { tokens, turnTokens, toolCalls, workMs, since } = session.spent ?? NO_ROW
  const running = since === undefined ? 0 : workedMs(since, steadyNow)
  return {
    usd: session.costUsd + turnTokens * pricePerToken,
    tokens: tokens + turnTokens,
    toolCalls,
    seconds: (workMs + running) / 1_000,
  }
}

/** A session with a budget, and what its whole tree has spent of it. */
export interface TreeBudget {
  readonly session: Session
  readonly budget: Budget
  readonly spent: Spent
  readonly use: Use | undefined
  /** The session and all below it. */
  readonly tree: readonly Session[]
}

export interface SpendingContext {
  readonly now: () => number
  /** The clock of `SpentRow.since`. */
  readonly steadyNow: () => number
  /** What a token of this model costs, as far as it is known. */
  readonly priceOf: (session: Spender) => number | undefined
}

/** The budgets that a session spends from: its own and those of the sessions above it, nearest first. */
export async function budgetsAbove(
  store: Store,
  session: Session,
  context: SpendingContext,
): Promise<TreeBudget[]> {
  const found: TreeBudget[] = []
  for (const one of [session, ...(await ancestorSessions(store, session.parentId))]) {
    const budget = budgetOf(one)
    if (budget) found.push(await treeBudget(store, one, budget, context))
  }
  return found
}

export async function treeBudget(
  store: Store,
  session: Session,
  budget: Budget,
  { steadyNow, priceOf }: SpendingContext,
): Promise<TreeBudget> {
  const tree = [session, ...(await descendantSessions(store, session.id))]
  const spenders = [...tree, ...(await removedBelow(store, tree))]
  const spent = sumOf(spenders.map((one) => spentOf(one, steadyNow(), priceOf(one))))
  return { session, budget, spent, use: mostUsed(budget, spent), tree }
}

/** What is kept of the sessions that were removed below these sessions. */
export async function removedBelow(
  store: Store,
  tree: readonly { readonly id: SessionKey }[],
): Promise<RemovedSession[]> {
  const found: RemovedSession[] = []
  for (let level: SessionKey[] = tree.map(({ id }) => id); level.length > 0;) {
    const next = await store.costs.removedBelow(level)
    found.push(...next)
    level = next.map(({ id }) => id)
  }
  return found
}

/** What the sessions at work below a session may still spend of budgets of their own: it is reserved for them. */
export function reservedBelow(
  { session, tree }: Pick<TreeBudget, 'session' | 'tree'>,
  isAtWork: (session: Session) => boolean,
  spentBy: (session: Session) => Spent,
): Spent {
  const childrenOf = (id: SessionKey) => tree.filter(({ parentId }) => parentId === id)
  const treeSpent = (one: Session): Spent =>
    sumOf([spentBy(one), ...childrenOf(one.id).map((child) => treeSpent(child))])
  const reservedBy = (one: Session): Spent => {
    const budget = budgetOf(one)
    if (!budget || !isAtWork(one)) return sumOf(childrenOf(one.id).map((child) => reservedBy(child)))
    return { ...NOTHING, ...leftOf(budget, treeSpent(one)) }
  }
  const children = childrenOf(session.id)
  return children.length === 0 ? NOTHING : sumOf(children.map((child) => reservedBy(child)))
}

const NO_ROW = { tokens: 0, turnTokens: 0, toolCalls: 0, workMs: 0, since: undefined }
