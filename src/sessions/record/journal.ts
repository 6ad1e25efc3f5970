import type { Approval, Escalation, Settlement } from '../../approvals/approval.ts'
import type { Grant } from '../../approvals/grants/grant.ts'
import type { SessionEvent } from '../../events/session-event.ts'
import type { TreeNode } from '../../tree/tree-node.ts'
import type { Run, Session, Turn } from './session.ts'

/**
 * All that one step changes in a session. It is stored in one transaction or not at all: events, the offset of the
 * output that they came from, and every row that they imply.
 */
export interface Step {
  readonly sessionId: string
  readonly at: number
  /** They get the next seqs, in this order. */
  readonly events: readonly { readonly turn: number; readonly event: SessionEvent }[]
  /** The session's row, where this is its first step: it is there from then on, as these events leave it, or not at all. */
  readonly created?: Session | undefined
  /**
   * The session's row after these events, whole: what it leaves out is gone. `lastSeq` and `updatedAt` are the store's
   * business, and so is `name`, which only `SessionStore.rename` changes.
   */
  readonly session?: Omit<Session, 'lastSeq' | 'updatedAt'> | undefined
  /** Rows to add or to put in the place of what is there. */
  readonly runs?: readonly Run[] | undefined
  readonly turns?: readonly Turn[] | undefined
  readonly nodes?: readonly TreeNode[] | undefined
  /** New approvals; one that is there already is left as it is. */
  readonly opened?: readonly Approval[] | undefined
  /** Each takes effect only on a pending approval of this session, those of `opened` included. */
  readonly settled?: readonly Settlement[] | undefined
  /** What is remembered from now on; what is there already is left as it is. */
  readonly granted?: readonly Grant[] | undefined
  /** What is left of grants of this session; one that is gone stays so. */
  readonly narrowed?: readonly Pick<Grant, 'id' | 'rule'>[] | undefined
  /** Each is added to a pending approval of this session. */
  readonly escalated?: readonly ({ readonly approvalId: string } & Omit<Escalation, 'at'>)[] | undefined
  /** Approvals whose decision the child has gone on with. */
  readonly acknowledged?: readonly string[] | undefined
}

/** Port: the only way in which a session changes. */
export interface Journal {
  /**
   * Stores the step and returns the seq of its last event. If an approval of `settled` or `escalated` is not pending, nothing is
   * stored and the error is `already_settled`, with who settled it and how in `data.approval`; an unknown one is
   * `not_found`. `durable` steps survive a loss of power (an answer must, before a child hears of it).
   */
  append(step: Step, options?: { readonly durable?: boolean }): Promise<number>
}
