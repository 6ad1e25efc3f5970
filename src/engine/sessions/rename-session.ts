import type { SessionKey } from '../../base/ids.ts'
import type { Caller } from '../../callers/access-rules.ts'
import { AppError } from '../../base/errors.ts'
import type { Session } from '../../sessions/record/session.ts'
import type { Store } from '../../sessions/record/store.ts'
import type { Supervisor } from '../../sessions/supervisor.ts'
import { requireSession } from '../access/session-access.ts'

interface RenameDeps {
  readonly store: Store
  readonly supervisor: Supervisor
}

/** Gives a session another name. The name of a session that has ended can be taken: that session is left without one. */
export async function renameSession(
  { store, supervisor }: RenameDeps,
  caller: Caller,
  { sessionId, name }: { sessionId: SessionKey; name: string },
): Promise<Session> {
  const { id } = await requireSession(store, caller, 'change', sessionId)
  const taken = await store.sessions.byName(name)
  if (taken && taken.id !== id) await freeName({ store, supervisor }, caller, taken)
  const live = await supervisor.wake(id)
  await live.rename(name)
  return live.session
}

/** Only the name of a session that has ended, and that the caller may change as well. */
async function freeName({ store, supervisor }: RenameDeps, caller: Caller, taken: Session): Promise<void> {
  const inUse = new AppError('in_use', `Another session has the name "${taken.name}"; choose another one.`)
  await requireSession(store, caller, 'change', taken.id).catch(() => {
    throw inUse
  })
  const live = await supervisor.wake(taken.id)
  await live.outside.requireNone().catch(() => {
    throw inUse
  })
  if (live.hasProcess || !ENDED.has(live.session.status)) throw inUse
  await live.rename(undefined)
}

const ENDED: ReadonlySet<Session['status']> = new Set(['done', 'failed', 'interrupted'])
