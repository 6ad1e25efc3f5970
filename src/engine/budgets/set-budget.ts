import type { SessionKey } from '../../base/ids.ts'
import { AppError } from '../../base/errors.ts'
import type { Budget } from '../../budgets/budget.ts'
import type { Caller } from '../../callers/access-rules.ts'
import type { Session } from '../../sessions/record/session.ts'
import type { Store } from '../../sessions/record/store.ts'
import type { Supervisor } from '../../sessions/supervisor.ts'
import { requireSession } from '../access/session-access.ts'

/** Sets what a session and all sessions below it may spend; without a budget it has no limit of its own. */
export async function setBudget(
  { store, supervisor }: { readonly store: Store; readonly supervisor: Supervisor },
  caller: Caller,
  { sessionId, budget }: { sessionId: SessionKey; budget?: Budget | undefined },
): Promise<Session> {
  const { id } = await requireSession(store, caller, 'change', sessionId)
  // A session spends from the budgets of its tree, so it may raise none, also not below itself.
  if (caller.kind === 'session')
    throw new AppError('forbidden', 'A session may not set a budget; ask the caller who started the tree.')
  const live = await supervisor.wake(id)
  await live.noteBudget({ type: 'budget.set', ...(budget ? { budget } : {}), by: caller.name })
  return live.session
}
