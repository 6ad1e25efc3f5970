import type { RecordEntry } from '../audit/record-row.ts'
import type { ApprovalKey, CallerKey, SessionKey } from '../base/ids.ts'
import type { Approval } from './approval.ts'

/** Port. Approvals are opened and settled only by steps of their session (`Journal.append`). */
export interface ApprovalStore {
  get(id: ApprovalKey): Promise<Approval | undefined>
  /** In the order of opening. */
  ofToolUse(sessionId: SessionKey, toolUseId: string): Promise<Approval[]>
  /** The question of the session with this number. */
  ofNumber(sessionId: SessionKey, number: number): Promise<Approval | undefined>
  /** Of these sessions, or of all. In the order of opening, not by time, because clocks jump. */
  pending(sessionIds?: readonly SessionKey[]): Promise<Approval[]>
  /** The pending approvals of all sessions, with the size of their input instead of the input: enough for a new hub to start. */
  pendingIds(): Promise<PendingId[]>
  /** The settled approvals, newest opening first. */
  settled(filter: SettledFilter): Promise<Approval[]>
  countByStatus(): Promise<Record<Approval['status'], number>>
  /** Only moves forward: none, sent, acknowledged. Any other change is ignored, and then nothing is recorded. */
  setDelivery(id: ApprovalKey, delivery: Approval['delivery'], recorded?: RecordEntry): Promise<void>
  /** Removes the approvals settled before `time`; returns how many. */
  removeSettledBefore(time: number): Promise<number>
}

export interface PendingId extends Pick<
  Approval,
  'id' | 'sessionId' | 'extendedUntil' | 'timeoutMs' | 'held' | 'flood'
> {
  readonly bytes: number
}

interface SettledFilter {
  /** Of these sessions, of the sessions of this owner, or of all. */
  readonly sessionIds?: readonly SessionKey[] | undefined
  readonly owner?: CallerKey | undefined
  /** Only approvals that were opened before the approval with this id. */
  readonly before?: ApprovalKey | undefined
  /** Without those that were asked in terminals. */
  readonly withoutTerminals?: boolean | undefined
  readonly limit: number
}
