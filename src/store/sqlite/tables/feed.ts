import { type EventFeed, FEED_STEPS, type FeedPage } from '../../../events/event-feed.ts'
import type { EventLog } from '../../../events/event-log.ts'
import type { Connection } from '../connection/connection.ts'
import type { FeedRow, RecentSteps } from './recent/recent-steps.ts'

const INSERT = 'INSERT INTO feed (session, last, count) VALUES (?, ?, ?) RETURNING n'
const PAGE = `SELECT n, sessions.id, last, count FROM feed LEFT JOIN sessions ON ref = session
  WHERE n > ? ORDER BY n LIMIT ?`
/** Two queries: of one that asks for both ends, SQLite reads every row. */
const ENDS = `SELECT coalesce((SELECT min(n) FROM feed), 1) AS first, coalesce((SELECT max(n) FROM feed), 0) AS last`
/** Old rows are removed so many at a time. */
const TRIM = 1_000

export function sqliteFeed(db: Connection, events: EventLog, recent: RecentSteps): EventFeed {
  const ends = (): { first: number; last: number } => db.get(ENDS)
  const pageOf = async (rows: readonly FeedRow[], after: number): Promise<FeedPage> => {
    const steps = []
    for (const { n, id, last, count } of rows) {
      const found = id === null ? [] : await events.read(id, last - count, count)
      if (id !== null && found.length > 0) steps.push({ position: n, sessionId: id, events: found })
    }
    return { steps, position: rows.at(-1)?.n ?? after }
  }
  return {
    position: async () => ends().last,
    read: async (after, limit) => {
      const known = recent.read(after, limit)
      if (known) return pageOf(known, after)
      const { first, last: newest } = ends()
      if (after === newest) return { steps: [], position: after }
      const { steps, position } = await pageOf(db.all(PAGE, [after, limit]), after)
      // A position that was never given out is one of another database.
      const isMissing = after > newest || (after + 1 < first && first > 1)
      return isMissing ? { steps, position: Math.min(position, newest), missed: true } : { steps, position }
    },
  }
}

/** Inside a transaction. The newest row is never removed, so that no position is used twice. Returns the position. */
export function noteStep(db: Connection, ref: number, last: number, count: number): number {
  const { n }: { n: number } = db.get(INSERT, [ref, last, count])
  if (n % TRIM === 0) db.run('DELETE FROM feed WHERE n <= ?', [n - FEED_STEPS])
  return n
}
