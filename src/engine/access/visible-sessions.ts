import type { SessionKey } from '../../base/ids.ts'
import { type Caller, mayAccess, seesAll } from '../../callers/access-rules.ts'
import { mayReadTranscripts } from '../../callers/scopes.ts'
import type { Session } from '../../sessions/record/session.ts'
import type { SessionFilter } from '../../sessions/record/session-store.ts'
import type { Store } from '../../sessions/record/store.ts'
import { MAX_DEPTH, accessOf } from './session-access.ts'

/** The sessions that a caller may read, newest first. */
export async function visibleSessions(
  store: Store,
  caller: Caller,
  filter: SessionFilter,
): Promise<Session[]> {
  if (seesAll(caller)) return store.sessions.list(filter)
  if (caller.kind === 'client')
    return store.sessions.list({ ...filter, owner: caller.id, orTerminal: mayReadTranscripts(caller) })
  const below = await descendantSessions(store, caller.name)
  return below
    .filter((session) => matches(session, filter))
    .toSorted((a, b) => (isBefore(a, b) ? 1 : -1))
    .slice(0, filter.limit)
}

/** Without the filter: a session that matches it may be below a session that does not. */
export async function descendantSessions(store: Store, id: SessionKey): Promise<Session[]> {
  const below: Session[] = []
  let level: SessionKey[] = [id]
  for (let depth = 0; depth < MAX_DEPTH && level.length > 0; depth++) {
    const pages = await Promise.all(
      level.map((parentId) => store.sessions.list({ parentId, limit: MAX_CHILDREN })),
    )
    level = pages.flat().map((session) => session.id)
    below.push(...pages.flat())
  }
  return below
}

function matches(session: Session, { status, before }: SessionFilter): boolean {
  return (status?.includes(session.status) ?? true) && (before === undefined || isBefore(session, before))
}

type ListPosition = NonNullable<SessionFilter['before']>

function isBefore(a: ListPosition, b: ListPosition): boolean {
  return a.updatedAt < b.updatedAt || (a.updatedAt === b.updatedAt && a.id < b.id)
}

/** Keeps the items whose session the caller may read. */
export async function onlyVisible<T extends { sessionId: SessionKey }>(
  store: Store,
  caller: Caller,
  all: readonly T[],
): Promise<T[]> {
  if (seesAll(caller)) return [...all]
  const visible = new Map<string, boolean>()
  for (const id of new Set(all.map(({ sessionId }) => sessionId))) {
    const session = await store.sessions.get(id)
    visible.set(id, session !== undefined && mayAccess(caller, 'read', await accessOf(store, session)))
  }
  return all.filter(({ sessionId }) => visible.get(sessionId))
}

const MAX_CHILDREN = 100_000
