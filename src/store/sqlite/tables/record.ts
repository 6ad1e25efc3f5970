import { setImmediate } from 'node:timers/promises'
import { AppError } from '../../../base/errors.ts'
import {
  NO_ROWS,
  type RecordEntry,
  type RecordHead,
  type RecordRow,
  rowAfter,
} from '../../../audit/record-row.ts'
import type { RecordFilter, RecordStore } from '../../../audit/record-store.ts'
import type { Connection } from '../connection/connection.ts'

const HEAD = 'SELECT number, hash FROM record ORDER BY number DESC LIMIT 1'
const INSERT = `INSERT INTO record (number, at, kind, body, previous, hash) VALUES (?, ?, ?, ?, ?, ?)
  ON CONFLICT (number) DO NOTHING`
const SELECT = 'SELECT number, at, kind, body, previous, hash FROM record'
const NOTES = 'SELECT size, at, note FROM record_checkpoints'
const SIGNED = 'SELECT coalesce(max(size), 0) FROM record_checkpoints'
/** The rows of a question and of a session are indexed with each checkpoint; the few rows since then are read one by one. */
const QUESTIONS = indexOf('record_questions', 'approval', '$.approvalId')
const SESSIONS = indexOf('record_sessions', 'session', '$.session')
const SLICE = 2_000

/** Reports new rows once they are committed. */
export class RecordNews {
  readonly #listeners = new Set<() => void>()

  added(rows: number): void {
    if (rows > 0) for (const listener of this.#listeners) listener()
  }

  listen(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }
}

export function sqliteRecord(db: Connection, news: RecordNews): RecordStore {
  return {
    append: async (entries) =>
      void (await db.grouped(() => appendRows(db, entries), { onCommitted: (rows) => news.added(rows) })),
    head: async () => headOf(db),
    get: async (number) => db.get(`${SELECT} WHERE number = ?`, [number]),
    read: async (filter) => select(db, filter, 'ASC'),
    latest: async (filter) => select(db, filter, 'DESC'),
    checkpoints: async ({ after, until, limit }) =>
      db.all(`${NOTES} WHERE size > ? AND size <= ? ORDER BY size LIMIT ?`, [after, until, limit]),
    lastCheckpoint: async () => db.get(`${NOTES} ORDER BY size DESC LIMIT 1`),
    addCheckpoint: async ({ size, at, note }) => {
      const write = () => {
        db.run(QUESTIONS.add, [size])
        db.run(SESSIONS.add, [size])
        db.run('INSERT INTO record_checkpoints (size, at, note) VALUES (?, ?, ?)', [size, at, note])
      }
      await db.grouped(write, { durable: true })
    },
    cut: async (to) => {
      const { first }: { first: number | null } = db.get('SELECT min(number) AS first FROM record')
      for (let from = first ?? to + 1; from <= to; from += SLICE) {
        db.run('DELETE FROM record WHERE number <= ?', [Math.min(from + SLICE - 1, to)])
        await setImmediate()
      }
      db.run('DELETE FROM record_checkpoints WHERE size < ?', [to])
      db.run('DELETE FROM record_questions WHERE number <= ?', [to])
      db.run('DELETE FROM record_sessions WHERE number <= ?', [to])
    },
    onAppended: (listener) => news.listen(listener),
  }
}

/** Inside a transaction, so that the rows of all steps have one order. Returns how many were added. */
export function appendRows(db: Connection, entries: readonly RecordEntry[]): number {
  for (const entry of entries) {
    const known = heads.get(db)
    const head = known?.rollbacks === db.rollbacks ? known.head : headOf(db)
    // Only another program can have taken the number, for this process has the home folder alone: its row is not replaced.
    const row = insertAfter(db, head, entry) ?? insertAfter(db, headOf(db), entry)
    if (!row) throw new AppError('internal', 'Another program writes to the record; end it and try again.')
    heads.set(db, { head: row, rollbacks: db.rollbacks })
  }
  return entries.length
}

/** The last row that each connection has written: to read it for every row would take part of the time of an answer. */
const heads = new WeakMap<Connection, { readonly head: RecordHead; readonly rollbacks: number }>()

function insertAfter(db: Connection, head: RecordHead, entry: RecordEntry): RecordHead | undefined {
  const { number, at, kind, body, previous, hash } = rowAfter(head, entry)
  return db.run(INSERT, [number, at, kind, body, previous, hash]) > 0 ? { number, hash } : undefined
}

/** An index of the record by a field of its bodies: how rows are added to it, and how rows are found. */
function indexOf(table: string, column: string, field: string): { add: string; find: string } {
  const value = `json_extract(body, '${field}')`
  return {
    add: `INSERT INTO ${table} (${column}, number) SELECT ${value}, number FROM record
      WHERE number > (${SIGNED}) AND number <= ? AND ${value} IS NOT NULL`,
    find: `number IN (SELECT number FROM ${table} WHERE ${column} = ?
      UNION ALL SELECT number FROM record WHERE number > (${SIGNED}) AND ${value} = ?)`,
  }
}

function headOf(db: Connection): RecordHead {
  return db.get(HEAD) ?? NO_ROWS
}

function select(db: Connection, filter: RecordFilter, order: 'ASC' | 'DESC'): RecordRow[] {
  const { session, approval, kind, after, before, limit } = filter
  const conditions: [string, ...(string | number | undefined)[]][] = [
    [SESSIONS.find, session, session],
    [QUESTIONS.find, approval, approval],
    ['kind = ?', kind],
    ['number > ?', after],
    ['number < ?', before],
  ]
  const used = conditions.filter((one): one is [string, ...(string | number)[]] => one[1] !== undefined)
  const where = used.length === 0 ? '' : `WHERE ${used.map(([text]) => text).join(' AND ')}`
  return db.all(`${SELECT} ${where} ORDER BY number ${order} LIMIT ?`, [
    ...used.flatMap(([, ...values]) => values),
    limit,
  ])
}
