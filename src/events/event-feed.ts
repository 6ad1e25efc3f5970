import type { SessionId } from '../base/ids.ts'
import type { StoredEvent } from './event-log.ts'

/** The events of one step, in the order in which steps of all sessions were stored. */
export interface FeedStep {
  /** Grows with every step that has events, whatever its session. */
  readonly position: number
  readonly sessionId: SessionId
  readonly events: readonly StoredEvent[]
}

export interface FeedPage {
  readonly steps: readonly FeedStep[]
  /** The position to read on from. */
  readonly position: number
  /** Steps after the given position are no longer on record; never skipped in silence. */
  readonly missed?: true
}

/** Port: the newest steps of all sessions. */
export interface EventFeed {
  /** The position of the newest step; 0 if there is none. */
  position(): Promise<number>
  /** The steps after a position, oldest first, at most `limit`. Those of sessions that were removed are left out. */
  read(after: number, limit: number): Promise<FeedPage>
}

/** How many steps a feed keeps: a reader that is further behind reads the sessions themselves. */
export const FEED_STEPS = 100_000
