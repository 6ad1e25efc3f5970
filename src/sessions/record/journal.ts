import type { RecordEntry } from '../../audit/record-row.ts'
import type { Approval, Escalation, Settlement } from '../../approvals/approval.ts'
import type { ApprovalId, GrantId, SessionId } from '../../base/ids.ts'
import type { Grant, GrantEnd } from '../../approvals/grants/grant.ts'
import type { SessionEvent } from '../../events/session-event.ts'
import type { TreeNode } from '../../tree/tree-node.ts'
import type { CostOfModel } from '../spending/model-costs.ts'
import type { Run, Session, Turn } from './session.ts'

/**
 * Everything that one step changes in a session. It is stored in one transaction or not at all: events, the offset of the
 * output that they came from, and every row that they imply.
 */
export interface Step {
  readonly sessionId: SessionId
  readonly at: number
  /** They get the next seqs, in this order. */
  readonly events: readonly { readonly turn: number; readonly event: SessionEvent }[]
  /** The row of a new session, as these events leave it; only in its first step. */
  readonly created?: Session | undefined
  /**
   * The whole row of the session after these events: omitted fields are deleted. The store sets `lastSeq` and `updatedAt`
   * itself, and keeps `name`, which only `SessionStore.rename` changes.
   */
  readonly session?: Omit<Session, 'lastSeq' | 'updatedAt'> | undefined
  /** Rows to add or replace. */
  readonly runs?: readonly Run[] | undefined
  readonly turns?: readonly Turn[] | undefined
  readonly nodes?: readonly TreeNode[] | undefined
  /** New approvals; an existing approval is not changed. */
  readonly opened?: readonly Approval[] | undefined
  /** Each takes effect only on a pending approval of this session, those of `opened` included. */
  readonly settled?: readonly Settlement[] | undefined
  /** New grants; an existing grant is not changed. */
  readonly granted?: readonly Grant[] | undefined
  /** Grants that end, of whatever session; one that has ended stays as it is. */
  readonly endedGrants?: readonly ({ readonly id: GrantId } & GrantEnd)[] | undefined
  /** Each is added to a pending approval of this session. */
  readonly escalated?: readonly ({ readonly approvalId: ApprovalId } & Omit<Escalation, 'at'>)[] | undefined
  /** New time limits of pending approvals of this session. */
  readonly extended?: readonly { readonly approvalId: ApprovalId; readonly until: number }[] | undefined
  /** Withdrawn approvals of this session whose question is asked again, by which approval. */
  readonly superseded?: readonly { readonly approvalId: ApprovalId; readonly by: ApprovalId }[] | undefined
  /** Approvals that were not answered in the terminal, as it seemed, but by a hook there. */
  readonly byHook?: readonly ApprovalId[] | undefined
  /** What the session has cost since its last step, in US dollars and tokens, by model. */
  readonly spent?: readonly CostOfModel[] | undefined
  /**
   * Approvals whose decision the child has acted on. If nothing was noted of its delivery (the note comes after it, and a hub may
   * die between), `delivered` is recorded before the rows of this step.
   */
  readonly acknowledged?:
    | readonly { readonly approvalId: ApprovalId; readonly delivered: RecordEntry }[]
    | undefined
  /** Rows for the record, in this order: a decision that cannot be recorded takes no effect. */
  readonly recorded?: readonly RecordEntry[] | undefined
}

/** Port: the only way in which a session changes. */
export interface Journal {
  /**
   * Stores the step and returns the seq of its last event. Steps of several sessions that are given together are stored in one
   * transaction, all or none (and the seq is of the last). If an approval of `settled`, `escalated` or `extended` is not pending, nothing is
   * stored and the error is `already_settled`, with the settled approval in `data.approval`; for an unknown approval it is
   * `not_found`. `durable` steps survive a loss of power (an answer must, before it is sent to a child).
   */
  append(step: Step | readonly Step[], options?: { readonly durable?: boolean }): Promise<number>
}
