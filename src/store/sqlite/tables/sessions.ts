import type { RecordEntry } from '../../../audit/record-row.ts'
import type { SessionKey } from '../../../base/ids.ts'
import { definedFields } from '../../../base/defined-fields.ts'
import type { Step } from '../../../sessions/record/journal.ts'
import type { Session } from '../../../sessions/record/session.ts'
import type { SessionFilter, SessionStore } from '../../../sessions/record/session-store.ts'
import { idTakenError, nameTakenError, noSessionError } from '../../store-errors.ts'
import type { Connection } from '../connection/connection.ts'
import { keepSpending } from './costs.ts'
import { deleteEvents } from './events.ts'
import { isMissingOwner } from '../connection/sqlite-errors.ts'
import type { SessionRow } from './recent/recent-sessions.ts'
import type { Recent } from './recent/recent-steps.ts'
import { appendRows, type RecordNews } from './record.ts'

const SELECT = 'SELECT name, last_seq, updated_at, body FROM sessions'

export function sqliteSessions(db: Connection, recent: Recent, news: RecordNews): SessionStore {
  const rowOf = (id: string): SessionRow | undefined => {
    const kept = recent.sessions.get(id)
    if (kept) return kept
    const row: SessionRow | undefined = db.get(`${SELECT} WHERE id = ?`, [id])
    if (row) recent.sessions.add(id, row)
    return row
  }
  const withRecord = (recorded: RecordEntry | undefined, write: () => void) =>
    news.added(
      db.transaction(() => {
        write()
        return appendRows(db, recorded ? [recorded] : [])
      }),
    )
  return {
    create: async (session, recorded) => withRecord(recorded, () => createSession(db, session)),
    get: async (id) => sessionOf(rowOf(id)),
    byIdPrefix: async (prefix, limit) =>
      // A range, so that the index of the ids is used; no character of an id sorts after `g`.
      db
        .all(`${SELECT} WHERE id >= ? AND id < ? LIMIT ?`, [prefix, `${prefix}g`, limit])
        .flatMap((row: SessionRow) => sessionOf(row) ?? []),
    byName: async (name) => sessionOf(db.get(`${SELECT} WHERE name = ?`, [name])),
    list: async (filter) => {
      const { where, values } = conditionsOf(filter)
      const sql = `${SELECT} ${where} ORDER BY updated_at DESC, id DESC LIMIT ?`
      return db.all(sql, [...values, filter.limit]).flatMap((row: SessionRow) => sessionOf(row) ?? [])
    },
    countByStatus: async () => {
      const counts = { idle: 0, running: 0, waiting: 0, done: 0, failed: 0, interrupted: 0 }
      const rows: { status: Session['status']; count: number }[] = db.all(
        'SELECT status, count(*) AS count FROM sessions GROUP BY status',
      )
      for (const { status, count } of rows) counts[status] = count
      return counts
    },
    rename: async (id, name) => {
      db.transaction(() => {
        refuseTakenName(db, name, id)
        const renamed = db.run('UPDATE sessions SET name = ? WHERE id = ?', [name ?? null, id])
        if (renamed === 0) throw noSessionError(id)
      })
      recent.sessions.change(id, { name: name ?? null })
    },
    remove: async (id, recorded) => {
      await deleteEvents(db, id)
      // All other rows of the session refer to it and are deleted with it.
      withRecord(recorded, () => {
        keepSpending(db, id)
        db.run('DELETE FROM sessions WHERE id = ?', [id])
      })
      recent.sessions.forget(id)
      recent.events.forget(id)
      recent.steps.forget(id)
    },
  }
}

/** Inside a transaction. */
export function createSession(db: Connection, session: Session): void {
  refuseTakenName(db, session.name, session.id)
  const { id, name, owner, parentId, status, updatedAt } = session
  const created = db.run(
    `INSERT INTO sessions (id, name, owner, parent_id, status, last_seq, updated_at, body)
     VALUES (?, ?, ?, ?, ?, 0, ?, ?) ON CONFLICT (id) DO NOTHING`,
    [id, name ?? null, owner, parentId ?? null, status, updatedAt, bodyOf(session)],
  )
  if (created === 0) throw idTakenError('session')
}

interface Taken {
  readonly ref: number
  /** The seq of the last event. */
  readonly last: number
  /** The body, if the step changed it. */
  readonly body?: string
}

const TAKE = 'UPDATE sessions SET last_seq = last_seq + ?, updated_at = ?'
const WITH_BODY = `${TAKE}, owner = ?, parent_id = ?, status = ?, body = ?`
const TAKEN = 'WHERE id = ? RETURNING ref, last_seq AS last'

/**
 * Inside a transaction: takes the seqs of a step's events from the session's row, so that a step that fails uses none, and writes
 * what the step changed of it. Not the name, which only `rename` writes: a step that was made before a renaming must not undo it.
 */
export function takeSeqs(db: Connection, { sessionId, at, events, session }: Step): Taken {
  const body = session && bodyOf(session)
  const taken: Taken | undefined =
    session && body !== undefined
      ? db.get(`${WITH_BODY} ${TAKEN}`, [
          events.length,
          at,
          session.owner,
          session.parentId ?? null,
          session.status,
          body,
          sessionId,
        ])
      : db.get(`${TAKE} ${TAKEN}`, [events.length, at, sessionId])
  if (!taken) throw noSessionError(sessionId)
  return { ...taken, ...definedFields({ body }) }
}

/** Throws `not_found` with the session's id if the written row refers to a session that does not exist. */
export function inSession<T>(sessionId: SessionKey, write: () => T): T {
  try {
    return write()
  } catch (error) {
    throw isMissingOwner(error) ? noSessionError(sessionId) : error
  }
}

function refuseTakenName(db: Connection, name: string | undefined, id: string): void {
  if (name === undefined) return
  if (db.get('SELECT 1 FROM sessions WHERE name = ? AND id <> ?', [name, id])) throw nameTakenError(name)
}

function bodyOf(session: Omit<Session, 'lastSeq' | 'updatedAt'>): string {
  const { name: _, ...body } = session
  return JSON.stringify(body)
}

function sessionOf(row: SessionRow | undefined): Session | undefined {
  if (!row) return undefined
  const body: Omit<Session, 'name' | 'lastSeq' | 'updatedAt'> = JSON.parse(row.body)
  const name = row.name === null ? {} : { name: row.name }
  return { ...body, ...name, lastSeq: row.last_seq, updatedAt: row.updated_at }
}

/** Only the used filters, so that there is one prepared statement for each set of them. */
function conditionsOf(filter: SessionFilter): { where: string; values: (string | number)[] } {
  const { owner, orTerminal, parentId, status, before } = filter
  const conditions: [string, ...(string | number)[]][] = []
  if (owner !== undefined)
    conditions.push([orTerminal ? `(owner = ? OR json_extract(body, '$.terminal'))` : 'owner = ?', owner])
  if (parentId !== undefined) conditions.push(['parent_id = ?', parentId])
  if (status) conditions.push(['status IN (SELECT value FROM json_each(?))', JSON.stringify(status)])
  if (before) conditions.push(['(updated_at, id) < (?, ?)', before.updatedAt, before.id])
  const texts = conditions.map(([text]) => text)
  return {
    where: texts.length === 0 ? '' : `WHERE ${texts.join(' AND ')}`,
    values: conditions.flatMap(([, ...values]) => values),
  }
}
