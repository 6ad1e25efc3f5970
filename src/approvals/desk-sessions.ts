import type { SessionKey } from '../base/ids.ts'
import type { EventOf } from '../events/session-event.ts'
import type { StoredVerdict } from '../rules/verdict.ts'
import type { Approval } from './approval.ts'

export type Settled = Omit<EventOf<'approval.settled'>, 'type'>

export interface SettledIn {
  readonly sessionId: SessionKey
  readonly settled: Settled
}

/** The port by which the desk reaches the sessions whose questions it settles. The supervisor implements it. */
export interface DeskSessions {
  questionsOf(sessionId: SessionKey): Promise<DeskSession>
  /**
   * Writes settlements into the logs of their sessions, and then delivers them to the children. All are stored in one commit, or
   * none is: each must be the first of its question.
   */
  settle(answers: readonly SettledIn[]): Promise<void>
  /** Wakes the callers who wait for this session: one of its questions is visible now. */
  ring(sessionId: SessionKey): void
}

/** The questions of one session. */
export interface DeskSession {
  /** Whether an answer to this question may be remembered for later calls of the session. */
  mayRemember(asked: Approval): boolean
  /** The rule that forbids such a call, whatever anybody answers. */
  forbiddenBy(call: Pick<Approval, 'toolName' | 'input' | 'cwd' | 'toolUseId'>): StoredVerdict | undefined
  /** Whether a note with a yes can reach the model that asks. */
  readonly takesNotes: boolean
}
