import type { GrantId, GrantKey, SessionId, SessionKey } from '../../base/ids.ts'

/** A remembered answer: calls that match `rule` (a `GrantRule`) need no new answer in this session. */
export interface Grant {
  readonly id: GrantId
  readonly sessionId: SessionId
  readonly rule: unknown
  readonly by: string
  readonly at: number
}

/** Port. Grants are added by the step that settles their question, and narrowed by a step of their session (`Journal.append`). */
export interface GrantStore {
  /** Of all sessions. */
  all(): Promise<Grant[]>
  ofSession(sessionId: SessionKey): Promise<Grant[]>
  /** Returns false if there was no such grant. */
  remove(id: GrantKey): Promise<boolean>
}
