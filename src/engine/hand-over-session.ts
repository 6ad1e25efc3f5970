import type { SessionKey } from '../base/ids.ts'
import { AppError } from '../base/errors.ts'
import type { Caller } from '../callers/access-rules.ts'
import type { TerminalCommand } from '../sessions/launch/terminal-command.ts'
import type { Session } from '../sessions/record/session.ts'
import type { Store } from '../sessions/record/store.ts'
import type { HandOver, Returned } from '../sessions/run/outside-process.ts'
import type { Supervisor } from '../sessions/supervisor.ts'
import { requireSession } from './access/session-access.ts'
import { requireBudget } from './budgets/require-budget.ts'
import type { SpendingContext } from './budgets/tree-budget.ts'
import { requireTranscripts } from './fork-session.ts'

interface Deps {
  readonly store: Store
  readonly supervisor: Supervisor
}

export interface HandedOver {
  readonly session: Session
  /** For a terminal: the command to run there. */
  readonly command?: TerminalCommand | undefined
}

/** Lets a process that is not ours continue the conversation of a session, until it is returned. */
export async function handOver(
  { store, supervisor, budgets }: Deps & { readonly budgets: SpendingContext },
  { caller }: { readonly caller: Caller },
  { sessionId, ...how }: HandOver & { sessionId: SessionKey },
): Promise<HandedOver> {
  if (how.to === 'terminal') requirePerson(caller)
  const session = await requireSession(store, caller, 'issue', sessionId)
  const { id } = session
  // What a process outside spends is not counted, so none begins where the budget is used up.
  await requireBudget(store, session, budgets)
  const live = await supervisor.wake(id)
  const command = await live.outside.begin(how)
  return { session: live.session, ...(command ? { command } : {}) }
}

/** The end of that process. A conversation that it has begun since is taken over, if the caller may resume any. */
export async function returnSession(
  { store, supervisor }: Deps,
  { caller }: { readonly caller: Caller },
  { sessionId, pid, ...ended }: Returned & { sessionId: SessionKey; pid: number },
): Promise<Session> {
  const { id, cliSessionId } = await requireSession(store, caller, 'issue', sessionId)
  if (ended.cliSessionId !== undefined && ended.cliSessionId !== cliSessionId)
    requireTranscripts(caller, 'resume')
  const live = await supervisor.wake(id)
  await live.outside.end(pid, ended)
  return live.session
}

/** In a terminal nothing is asked here: whoever sits there answers. */
function requirePerson({ kind, person }: Caller): void {
  if (kind === 'operator' && person) return
  throw new AppError('forbidden', 'Only a person may take a conversation into a terminal.')
}
