import { type EventFeed, FEED_STEPS } from '../../../events/event-feed.ts'
import type { SessionId } from '../../../base/ids.ts'
import type { EventLog } from '../../../events/event-log.ts'
import type { Connection } from '../connection/connection.ts'

interface Row {
  readonly n: number
  /** Null if the session was removed. */
  readonly id: SessionId | null
  readonly last: number
  readonly count: number
}

const INSERT = 'INSERT INTO feed (session, last, count) VALUES (?, ?, ?) RETURNING n'
const PAGE = `SELECT n, sessions.id, last, count FROM feed LEFT JOIN sessions ON ref = session
  WHERE n > ? ORDER BY n LIMIT ?`
const ENDS = 'SELECT coalesce(min(n), 1) AS first, coalesce(max(n), 0) AS last FROM feed'
/** Old rows are removed so many at a time. */
const TRIM = 1_000

export function sqliteFeed(db: Connection, events: EventLog): EventFeed {
  const ends = (): { first: number; last: number } => db.get(ENDS)
  return {
    position: async () => ends().last,
    read: async (after, limit) => {
      const { first, last: newest } = ends()
      // Most reads of an idle hub.
      if (after === newest) return { steps: [], position: after }
      const rows: readonly Row[] = db.all(PAGE, [after, limit])
      const steps = []
      for (const { n, id, last, count } of rows) {
        const found = id === null ? [] : await events.read(id, last - count, count)
        if (id !== null && found.length > 0) steps.push({ position: n, sessionId: id, events: found })
      }
      const position = rows.at(-1)?.n ?? after
      // A position that was never given out is one of another database.
      const isMissing = after > newest || (after + 1 < first && first > 1)
      return isMissing ? { steps, position: Math.min(position, newest), missed: true } : { steps, position }
    },
  }
}

/** Inside a transaction. The newest row is never removed, so that no position is used twice. */
export function noteStep(db: Connection, ref: number, last: number, count: number): void {
  const { n }: { n: number } = db.get(INSERT, [ref, last, count])
  if (n % TRIM === 0) db.run('DELETE FROM feed WHERE n <= ?', [n - FEED_STEPS])
}
