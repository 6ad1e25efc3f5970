import { type Identity, maySee } from '../callers/permission.ts'
import type { Session } from '../sessions/session.ts'
import type { SessionFilter } from '../sessions/session-store.ts'
import type { Store } from '../store/store.ts'
import { MAX_DEPTH, touchedOf } from './access.ts'

/** The sessions that a caller may see, newest first. */
export async function visibleSessions(
  store: Store,
  caller: Identity,
  filter: SessionFilter,
): Promise<Session[]> {
  if (caller.kind === 'operator') return store.sessions.list(filter)
  if (caller.kind === 'client') return store.sessions.list({ ...filter, owner: caller.id })
  const below: Session[] = []
  let level = [caller.name]
  for (let depth = 0; depth < MAX_DEPTH && level.length > 0; depth++) {
    const pages = await Promise.all(level.map((parentId) => store.sessions.list({ ...filter, parentId })))
    const found = pages.flat()
    below.push(...found)
    level = found.map(({ id }) => id)
  }
  return below.toSorted((a, b) => b.updatedAt - a.updatedAt).slice(0, filter.limit)
}

/** Of these things that belong to sessions, those whose session the caller may see. */
export async function onlyVisible<T extends { sessionId: string }>(
  store: Store,
  caller: Identity,
  all: readonly T[],
): Promise<T[]> {
  if (caller.kind === 'operator') return [...all]
  const visible = new Map<string, boolean>()
  for (const id of new Set(all.map(({ sessionId }) => sessionId))) {
    const session = await store.sessions.get(id)
    visible.set(id, session !== undefined && maySee(caller, await touchedOf(store, session)))
  }
  return all.filter(({ sessionId }) => visible.get(sessionId))
}
