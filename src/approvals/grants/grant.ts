import type { RecordEntry } from '../../audit/record-row.ts'
import type { ApprovalId, GrantId, GrantKey, SessionId, SessionKey } from '../../base/ids.ts'
import type { Rule } from '../../rules/rule.ts'
import type { Scope } from '../../rules/exact/grant-scopes.ts'

/** Rules that were remembered with an answer: calls that match one need no new answer, until the grant ends. */
export interface Grant {
  readonly id: GrantId
  /** The session whose question was answered; it may be gone. */
  readonly sessionId: SessionId
  /** That question; absent if an older version remembered it. */
  readonly approvalId?: ApprovalId | undefined
  /** The name of the caller that answered. */
  readonly by: string
  readonly at: number
  readonly scope: Scope
  /** All have the id of the grant. */
  readonly rules: readonly Rule[]
  /** By the clock of the hub, in ms since 1970. */
  readonly endsAt?: number | undefined
  /** Absent while it holds. */
  readonly ended?: GrantEnd | undefined
}

export interface GrantEnd {
  readonly how: 'expired' | 'revoked'
  readonly at: number
  /** The name of the caller that revoked it. */
  readonly by?: string | undefined
}

/** Port. Grants are added by the step that settles their question, and end by a step of the session that asked. */
export interface GrantStore {
  /** Those that have not ended, oldest first. */
  current(): Promise<Grant[]>
  /** Those of them that hold for more than one session. */
  wide(): Promise<Grant[]>
  /** Those of them that hold for this session alone. */
  ofSession(sessionId: SessionKey): Promise<Grant[]>
  /** Those of them that end by themselves. */
  ending(): Promise<Grant[]>
  /** Those that have ended, the latest end first. */
  ended(limit: number): Promise<Grant[]>
  /** Also one that has ended. */
  get(id: GrantKey): Promise<Grant | undefined>
  /** For a grant whose session is gone. Returns false if it has ended already. */
  end(id: GrantKey, end: GrantEnd, recorded?: RecordEntry): Promise<boolean>
  /** Removes what ended before this time. */
  removeEndedBefore(time: number): Promise<void>
}

/** The session with which a grant is removed; undefined if it outlives all. */
export function keeperOf({ scope, sessionId, rules }: Grant): string | undefined {
  if (scope === 'folder' || scope === 'always') return undefined
  return scope === 'tree' ? rules[0]?.tree?.[0] : sessionId
}

/** Whether it can hold in other sessions than the one that asked. */
export function isWide({ scope }: Pick<Grant, 'scope'>): boolean {
  return scope === 'tree' || scope === 'folder' || scope === 'always'
}
