import type { EventLog, StoredEvent } from '../../events/event-log.ts'
import type { SessionEvent } from '../../events/session-event.ts'
import type { Connection } from './connection.ts'

interface Row {
  seq: number
  turn: number
  at: number
  payload: string
}

const REF = '(SELECT ref FROM sessions WHERE id = ?)'
const INSERT = 'INSERT INTO events (session, seq, turn, at, payload) VALUES (?, ?, ?, ?, ?)'
const PAGE = `SELECT seq, turn, at, payload FROM events WHERE session = ${REF} AND seq > ? ORDER BY seq LIMIT ?`

export function sqliteEvents(db: Connection): EventLog {
  return {
    read: async (sessionId, after, limit) => db.all(PAGE, [sessionId, after, limit]).map(storedEventOf),
    range: async (sessionId) => {
      const range: { first: number | null; last: number } | undefined = db.get(
        `SELECT (SELECT min(seq) FROM events WHERE session = ref) AS first, last_seq AS last
         FROM sessions WHERE id = ?`,
        [sessionId],
      )
      return { first: range?.first ?? 1, last: range?.last ?? 0 }
    },
    trim: async (sessionId, seq) =>
      void db.run(
        `DELETE FROM events WHERE session = ${REF}
           AND seq < min(?, (SELECT last_seq FROM sessions WHERE id = ?))`,
        [sessionId, seq, sessionId],
      ),
  }
}

export function insertEvent(
  db: Connection,
  ref: number,
  event: Omit<Row, 'payload'> & { event: SessionEvent },
) {
  db.run(INSERT, [ref, event.seq, event.turn, event.at, JSON.stringify(event.event)])
}

function storedEventOf({ seq, turn, at, payload }: Row): StoredEvent {
  return { seq, turn, at, event: JSON.parse(payload) }
}
