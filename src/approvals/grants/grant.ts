/** A remembered answer: calls that match `rule` (a `GrantRule`) need no new answer in this session. */
export interface Grant {
  readonly id: string
  readonly sessionId: string
  readonly rule: unknown
  readonly by: string
  readonly at: number
}

/** Port. Grants are added by the step that settles their question, and narrowed by a step of their session (`Journal.append`). */
export interface GrantStore {
  /** Of all sessions. */
  all(): Promise<Grant[]>
  ofSession(sessionId: string): Promise<Grant[]>
  /** Returns false if there was no such grant. */
  remove(id: string): Promise<boolean>
}
