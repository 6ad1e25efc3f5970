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

/** Gives a session another name. */
export async function renameSession(
  { store, supervisor }: RenameDeps,
  caller: Caller,
  { sessionId, name }: { sessionId: SessionKey; name: string },
): Promise<Session> {
  const { id } = await requireSession(store, caller, 'change', sessionId)
  await freeName({ store, supervisor }, caller, name, id)
  const live = await supervisor.wake(id)
  await live.rename(name)
  return live.session
}

/**
 * Makes a name usable that a session which has ended still has: that session is left without one. The name of a session at work,
 * with a process, or of another caller is in use.
 */
export async function freeName(
  { store, supervisor }: RenameDeps,
  caller: Caller,
  name: string | undefined,
  forSession?: SessionKey,
): Promise<void> {
  const taken = name === undefined ? undefined : await store.sessions.byName(name)
  if (!taken || taken.id === forSession) return
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
