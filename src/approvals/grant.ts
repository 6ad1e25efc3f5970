/** What was remembered: calls that match `rule` need no new answer in this session. */
export interface Grant {
  readonly id: string
  readonly sessionId: string
  readonly rule: unknown
  readonly by: string
  readonly at: number
}

/** Port. Grants are added by the step that settles their question, and narrowed by one of their session (`Journal.append`). */
export interface GrantStore {
  /** Of all sessions. */
  all(): Promise<Grant[]>
  ofSession(sessionId: string): Promise<Grant[]>
  /** False when there was none. */
  remove(id: string): Promise<boolean>
}
