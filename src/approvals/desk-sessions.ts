import type { SessionKey } from '../base/ids.ts'
import type { EventOf } from '../events/session-event.ts'
import type { Rule } from '../rules/rule.ts'
import type { StoredVerdict } from '../rules/verdict.ts'
import type { Approval } from './approval.ts'
import type { ScopePlace } from './grants/remember.ts'

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
  /** Why such a call would be asked about again although these rules were remembered, after "because". */
  askedDespite(asked: Approval, rules: readonly Rule[]): string | undefined
  /** What the scopes of a remembered answer are made of. */
  readonly scopePlace: ScopePlace
  /** The time of the clock by which grants end. */
  hubTime(): number
  /** The rule that forbids such a call, whatever anybody answers. */
  forbiddenBy(call: Pick<Approval, 'toolName' | 'input' | 'cwd' | 'toolUseId'>): StoredVerdict | undefined
  /** Whether a note with a yes can reach the model that asks. */
  readonly takesNotes: boolean
}
