import type { SessionEvent } from './session-event.ts'

/** An event at its place: `seq` counts from 1 in each session, without gaps, and is never used again. */
export interface StoredEvent {
  readonly seq: number
  readonly turn: number
  /** Milliseconds since 1970, for people; order is by seq. */
  readonly at: number
  readonly event: SessionEvent
}

/** Port: reading what happened. Writing is `Journal.append`, because an event never comes alone. */
export interface EventLog {
  /** The events behind `after`, oldest first, at most `limit`. */
  read(sessionId: string, after: number, limit: number): Promise<StoredEvent[]>
  /**
   * What is kept: the first and the last seq; 1 and 0 when nothing ever happened. Behind `after` there is a gap when
   * `after` + 1 < `first`.
   */
  range(sessionId: string): Promise<{ first: number; last: number }>
  /** Forgets the events before `seq`; the last one always stays, because its seq is never used again. */
  trim(sessionId: string, seq: number): Promise<void>
}
