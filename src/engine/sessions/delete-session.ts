import { recordedCaller } from '../../audit/recorded-caller.ts'
import type { SessionKey } from '../../base/ids.ts'
import type { Caller } from '../../callers/access-rules.ts'
import { AppError } from '../../base/errors.ts'
import type { Store } from '../../sessions/record/store.ts'
import type { Supervisor } from '../../sessions/supervisor.ts'
import { requireSession } from '../access/session-access.ts'

export interface Deleted {
  readonly sessionId: SessionKey
  readonly name?: string | undefined
}

/** Removes a session with its log and its questions; what it has spent still counts for the sessions above it. The conversation belongs to the CLI and stays there. */
export async function deleteSession(
  { store, supervisor }: { readonly store: Store; readonly supervisor: Supervisor },
  caller: Caller,
  { sessionId, stop }: { sessionId: SessionKey; stop?: true | undefined },
): Promise<Deleted> {
  const { id, name } = await requireSession(store, caller, 'stop', sessionId)
  const below = await store.sessions.list({ parentId: id, limit: 1 })
  if (below.length > 0)
    throw new AppError('in_use', 'There are sessions below this session; delete those first.')
  const remover = { by: caller.name, caller: recordedCaller(caller) }
  await supervisor.remove(id, { evenAtWork: stop === true, ...remover })
  return { sessionId: id, ...(name === undefined ? {} : { name }) }
}
