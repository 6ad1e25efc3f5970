import type { SessionKey } from '../base/ids.ts'
import type { SessionEvent } from './session-event.ts'

/** A stored event. `seq` counts from 1 in each session, without gaps, and is never reused. */
export interface StoredEvent {
  readonly seq: number
  readonly turn: number
  /** Milliseconds since 1970, for display; order is by seq. */
  readonly at: number
  readonly event: SessionEvent
}

/** Port for reading events. They are written by `Journal.append`, together with the other changes of a step. */
export interface EventLog {
  /** The events after seq `after`, oldest first, at most `limit`. */
  read(sessionId: SessionKey, after: number, limit: number): Promise<StoredEvent[]>
}
