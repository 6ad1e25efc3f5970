import type { SessionKey } from '../base/ids.ts'
import type { EventOf } from '../events/session-event.ts'
import type { Approval } from './approval.ts'

export type Settled = Omit<EventOf<'approval.settled'>, 'type'>

/** The port by which the desk reaches the sessions whose questions it settles. The supervisor implements it. */
export interface DeskSessions {
  questionsOf(sessionId: SessionKey): Promise<DeskSession>
  /** Wakes the callers who wait for this session: one of its questions is visible now. */
  ring(sessionId: SessionKey): void
}

/** The questions of one session. */
export interface DeskSession {
  /** Writes the settlement into the log of the session, once, and then delivers it to the child. */
  settle(settled: Settled): Promise<void>
  /** Whether an answer to this question may be remembered for later calls of the session. */
  mayRemember(asked: Approval): boolean
  /** Whether a note with a yes can reach the model that asks. */
  readonly takesNotes: boolean
}
