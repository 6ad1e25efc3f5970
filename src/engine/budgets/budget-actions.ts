import { isLow, type Use, usesOf } from '../../budgets/budget.ts'
import { isAtWork } from '../../sessions/record/at-work.ts'
import type { Session } from '../../sessions/record/session.ts'
import type { Store } from '../../sessions/record/store.ts'
import type { Supervisor } from '../../sessions/supervisor.ts'
import { descendantSessions } from '../access/visible-sessions.ts'
import { overBudgetText } from './require-budget.ts'
import type { TreeBudget } from './tree-budget.ts'

export interface ActionDeps {
  readonly store: Store
  readonly supervisor: Supervisor
  readonly onError: (error: unknown) => void
}

/** A limit is used up: the turns of the tree end, and each of its sessions says why. */
export async function interruptTree(
  { supervisor, onError }: ActionDeps,
  { session: owner, tree }: TreeBudget,
  use: Use,
): Promise<void> {
  const message = overBudgetText(owner, use)
  const end = async ({ id, outside }: Session) => {
    const live = await supervisor.wake(id)
    await live.noteUsedUp({ type: 'budget.used_up', of: owner.id, ...use, message })
    // A process that a person started is theirs to end.
    if (!outside) await live.endWork().catch(onError)
  }
  // All at once: while one ends its work, which takes a moment, the others would spend more.
  await Promise.all(tree.filter(isAtWork).map(end))
}

/** First the top, so that it starts no more; it is noted as stopped last, so that a crash before it does all again. */
export async function stopTree(
  { store, supervisor, onError }: ActionDeps,
  { session: { id } }: TreeBudget,
): Promise<void> {
  const top = await supervisor.wake(id)
  await top.stop()
  for (const below of (await descendantSessions(store, id)).filter(isAtWork))
    await (await supervisor.wake(below.id)).stopAndStay().catch(onError)
  await top.noteStopped()
}

/** Asks about a limit of which most is used, while the tree is at work. */
export async function noteUse(
  { store, supervisor }: ActionDeps,
  { session, budget, spent, use }: TreeBudget,
): Promise<void> {
  if (!isLow(use) && !session.budgetQuestions) return
  const { id } = session
  const live = await supervisor.wake(id)
  // Read anew: the sessions may have ended meanwhile.
  const tree = [live.session, ...(await descendantSessions(store, id))]
  await live.noteUse(usesOf(budget, spent), { isAtWork: tree.some(isAtWork) })
}
