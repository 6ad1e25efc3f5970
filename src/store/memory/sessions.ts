import { keeperOf } from '../../approvals/grants/grant.ts'
import type { Session } from '../../sessions/record/session.ts'
import type { SessionFilter, SessionStore } from '../../sessions/record/session-store.ts'
import { idTakenError, nameTakenError } from '../store-errors.ts'
import { keepSpending } from './costs.ts'
import { appendRows } from './record.ts'
import { copiesOf, copyOf, sessionIn, type Tables } from './tables.ts'

export function memorySessions(tables: Tables): SessionStore {
  const { sessions } = tables
  return {
    create: async (session, recorded) => {
      requireUnused(tables, session)
      sessions.set(session.id, { ...copyOf(session), lastSeq: 0 })
      appendRows(tables, recorded ? [recorded] : [])
    },
    get: async (id) => copyOf(sessions.get(id)),
    byName: async (name) => copyOf(named(tables, name)),
    byIdPrefix: async (prefix, limit) =>
      copiesOf(sessions.values(), ({ id }) => id.startsWith(prefix)).slice(0, limit),
    list: async (filter) =>
      copiesOf(sessions.values(), (session) => matches(session, filter))
        .toSorted((a, b) => (isBefore(a, b) ? 1 : -1))
        .slice(0, filter.limit),
    countByStatus: async () => {
      const counts = { idle: 0, running: 0, waiting: 0, done: 0, failed: 0, interrupted: 0 }
      for (const { status } of sessions.values()) counts[status] += 1
      return counts
    },
    rename: async (id, name) => {
      requireUnusedName(tables, name, id)
      const { name: _, ...session } = sessionIn(tables, id)
      sessions.set(id, name === undefined ? session : { ...session, name })
    },
    remove: async (id, recorded) => {
      keepSpending(tables, id)
      for (const table of [sessions, tables.turns, tables.readers, tables.events]) table.delete(id)
      for (const table of [tables.runs, tables.approvals, tables.nodes]) {
        for (const row of table.values()) if (row.sessionId === id) table.delete(row.id)
      }
      for (const grant of tables.grants.values()) if (keeperOf(grant) === id) tables.grants.delete(grant.id)
      // The positions stay; a session with the same id may follow, and these steps are not of that one.
      for (const [at, row] of tables.feed.entries())
        if (row.sessionId === id) tables.feed[at] = { ...row, count: 0 }
      appendRows(tables, recorded ? [recorded] : [])
    },
  }
}

/** Throws if another session has the id or the name. */
export function requireUnused(tables: Tables, { id, name }: Session): void {
  if (tables.sessions.has(id)) throw idTakenError('session')
  requireUnusedName(tables, name, id)
}

function named({ sessions }: Tables, name: string): Session | undefined {
  return [...sessions.values()].find((session) => session.name === name)
}

function requireUnusedName(tables: Tables, name: string | undefined, id: string): void {
  if (name !== undefined && (named(tables, name)?.id ?? id) !== id) throw nameTakenError(name)
}

function matches(session: Session, { owner, orTerminal, parentId, status, before }: SessionFilter): boolean {
  return (
    (owner === undefined || session.owner === owner || (orTerminal === true && session.terminal === true)) &&
    (parentId === undefined || session.parentId === parentId) &&
    (status === undefined || status.includes(session.status)) &&
    (before === undefined || isBefore(session, before))
  )
}

type SortKey = NonNullable<SessionFilter['before']>

function isBefore(a: SortKey, b: SortKey): boolean {
  return a.updatedAt < b.updatedAt || (a.updatedAt === b.updatedAt && a.id < b.id)
}
