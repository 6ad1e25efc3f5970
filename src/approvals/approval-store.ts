import type { Approval } from './approval.ts'

/** Port. Approvals are opened and settled by steps of their session (`Journal.append`) and nowhere else. */
export interface ApprovalStore {
  get(id: string): Promise<Approval | undefined>
  /** In the order of their opening. */
  ofToolUse(sessionId: string, toolUseId: string): Promise<Approval[]>
  /** In the order of their opening (clocks jump); of these sessions, or of all. */
  pending(sessionIds?: readonly string[]): Promise<Approval[]>
  /** The same of all sessions, with the size of what is asked in its place: a new hub needs no more before it is ready. */
  pendingIds(): Promise<(Pick<Approval, 'id' | 'sessionId'> & { readonly bytes: number })[]>
  ofSession(sessionId: string): Promise<Approval[]>
  /** Those that are settled, the one that was opened last first. */
  settled(filter: SettledFilter): Promise<Approval[]>
  countByStatus(): Promise<Record<Approval['status'], number>>
  /** Only forward: none, sent, acknowledged. Anything else changes nothing. */
  setDelivery(id: string, delivery: Approval['delivery']): Promise<void>
  /** Removes those settled before `at`; returns how many. */
  removeSettledBefore(at: number): Promise<number>
}

export interface SettledFilter {
  /** Of these sessions, or of those that belong to this owner, or of all. */
  readonly sessionIds?: readonly string[] | undefined
  readonly owner?: string | undefined
  /** Only what was opened before this one. */
  readonly before?: string | undefined
  readonly limit: number
}
