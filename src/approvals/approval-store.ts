import type { Approval } from './approval.ts'

/** Port. Approvals are opened and settled only by steps of their session (`Journal.append`). */
export interface ApprovalStore {
  get(id: string): Promise<Approval | undefined>
  /** In the order of opening. */
  ofToolUse(sessionId: string, toolUseId: string): Promise<Approval[]>
  /** The question of the session with this number. */
  ofNumber(sessionId: string, number: number): Promise<Approval | undefined>
  /** Of these sessions, or of all. In the order of opening, not by time, because clocks jump. */
  pending(sessionIds?: readonly string[]): Promise<Approval[]>
  /** The pending approvals of all sessions, with the size of their input instead of the input: enough for a new hub to start. */
  pendingIds(): Promise<(Pick<Approval, 'id' | 'sessionId'> & { readonly bytes: number })[]>
  ofSession(sessionId: string): Promise<Approval[]>
  /** The settled approvals, newest opening first. */
  settled(filter: SettledFilter): Promise<Approval[]>
  countByStatus(): Promise<Record<Approval['status'], number>>
  /** Only moves forward: none, sent, acknowledged. Any other change is ignored. */
  setDelivery(id: string, delivery: Approval['delivery']): Promise<void>
  /** Removes the approvals settled before `time`; returns how many. */
  removeSettledBefore(time: number): Promise<number>
}

interface SettledFilter {
  /** Of these sessions, of the sessions of this owner, or of all. */
  readonly sessionIds?: readonly string[] | undefined
  readonly owner?: string | undefined
  /** Only approvals that were opened before the approval with this id. */
  readonly before?: string | undefined
  readonly limit: number
}
