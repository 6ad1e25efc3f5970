import type { SessionId, SessionKey } from '../../../../base/ids.ts'
import type { RecentEvents } from './recent-events.ts'
import type { RecentSessions } from './recent-sessions.ts'

/** A step as the feed has it: its position, and where its events are. */
export interface FeedRow {
  readonly n: number
  /** Null if the session was removed. */
  readonly id: SessionId | null
  readonly last: number
  readonly count: number
}

/**
 * A cache of the newest rows of the feed, so that a reader that follows it does not query the database for every step, and an
 * idle one not at all. It contains exactly the rows that were committed; the database has all of them and more.
 */
export class RecentSteps {
  #rows: FeedRow[] = []

  /** Undefined if the rows must be read from the database. */
  read(after: number, limit: number): readonly FeedRow[] | undefined {
    const from = after + 1 - (this.#rows[0]?.n ?? Infinity)
    return from >= 0 && from <= this.#rows.length ? this.#rows.slice(from, from + limit) : undefined
  }

  /** Adds a row that was committed. One that does not follow on the row before begins anew: a gap is never hidden. */
  add(row: FeedRow): void {
    if (this.#rows.at(-1)?.n !== row.n - 1) this.#rows = []
    this.#rows.push(row)
    if (this.#rows.length >= 2 * KEPT) this.#rows.splice(0, KEPT)
  }

  /** A session with the same id may follow, and these steps are not of that one. */
  forget(sessionId: SessionKey): void {
    this.#rows = this.#rows.map((row) => (row.id === sessionId ? { ...row, id: null } : row))
  }
}

const KEPT = 500

/** What was committed and is kept in memory too. */
export interface Recent {
  readonly sessions: RecentSessions
  readonly events: RecentEvents
  readonly steps: RecentSteps
}
