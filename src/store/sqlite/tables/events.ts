import { setImmediate } from 'node:timers/promises'
import type { SessionKey } from '../../../base/ids.ts'
import type { EventLog, StoredEvent } from '../../../events/event-log.ts'
import type { Connection } from '../connection/connection.ts'
import type { EventRow, RecentEvents } from './recent/recent-events.ts'

const INSERT = 'INSERT INTO events (session, seq, turn, at, payload) VALUES (?, ?, ?, ?, ?)'
const PAGE = `SELECT seq, turn, at, payload FROM events
  WHERE session = (SELECT ref FROM sessions WHERE id = ?) AND seq > ? ORDER BY seq LIMIT ?`
const SLICE = 2000

export function sqliteEvents(db: Connection, recent: RecentEvents): EventLog {
  return {
    read: async (sessionId, after, limit) => {
      const rows: readonly EventRow[] =
        recent.read(sessionId, after, limit) ?? db.all(PAGE, [sessionId, after, limit])
      return rows.map(storedEventOf)
    },
  }
}

interface Kept {
  ref: number
  first: number
  last: number
}

function keptOf(db: Connection, sessionId: SessionKey): Kept | undefined {
  return db.get(
    `SELECT ref, coalesce((SELECT min(seq) FROM events WHERE session = ref), 1) AS first, last_seq AS last
     FROM sessions WHERE id = ?`,
    [sessionId],
  )
}

/**
 * Deletes all events but the last. Oldest first and in slices, with a pause for other work after each:
 * to delete a million at once would block everything for two seconds. A crash leaves no gap.
 */
export async function deleteEvents(db: Connection, sessionId: SessionKey): Promise<void> {
  const kept = keptOf(db, sessionId)
  if (!kept) return
  for (let from = kept.first; from < kept.last; from += SLICE) {
    if (from > kept.first) await setImmediate()
    db.run('DELETE FROM events WHERE session = ? AND seq < ?', [kept.ref, Math.min(from + SLICE, kept.last)])
  }
}

export function insertEvent(db: Connection, ref: number, { seq, turn, at, payload }: EventRow): void {
  db.run(INSERT, [ref, seq, turn, at, payload])
}

function storedEventOf({ seq, turn, at, payload }: EventRow): StoredEvent {
  return { seq, turn, at, event: JSON.parse(payload) }
}
