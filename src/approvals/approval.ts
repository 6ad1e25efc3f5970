import type { ApprovalKind, CARRIERS, Level } from '../events/approval-fields.ts'
import type { Decision } from '../events/decision.ts'
import type { ApprovalId, GrantId, SessionId } from '../base/ids.ts'
import type { Via } from '../base/answer-via.ts'
import type { Scope } from '../rules/exact/grant-scopes.ts'
import type { StoredEnd } from '../base/answer-via.ts'
import type { StoredVerdict } from '../rules/verdict.ts'
import type { Remembered } from './grants/remember.ts'

type ApprovalStatus = 'pending' | 'allowed' | 'denied' | 'expired' | 'withdrawn'

/** A question of a child, and its outcome. */
export interface Approval {
  readonly id: ApprovalId
  readonly sessionId: SessionId
  /** Counts the questions of its session from 1; absent if an older version opened it. */
  readonly number?: number | undefined
  readonly turn: number
  readonly kind: ApprovalKind
  readonly toolName: string
  /** The input as received; `inputSha256` is the hash of its JSON. */
  readonly input: Readonly<Record<string, unknown>>
  readonly inputSha256: string
  readonly requestId: string
  readonly toolUseId?: string | undefined
  readonly agentId?: string | undefined
  /** The folder in which the call would run, if our hook received it. */
  readonly cwd?: string | undefined
  readonly carrier: (typeof CARRIERS)[number]
  readonly suggestions?: readonly unknown[] | undefined
  readonly reason?: string | undefined
  readonly blockedPath?: string | undefined
  readonly openedAt: number
  /** How long it waits, in ms, if a rule says so; 0 is for ever. */
  readonly timeoutMs?: number | undefined
  /** While pending: until when an answerer has given it more time, in ms since 1970. */
  readonly extendedUntil?: number | undefined
  /** A person is not shown it yet, because very many came before it. */
  readonly held?: true | undefined
  /** It stands for all questions of its session that are held back. */
  readonly flood?: true | undefined
  /** The withdrawn question that asked the same. */
  readonly supersedes?: ApprovalId | undefined
  /** The escalations so far, oldest first. */
  readonly escalations?: readonly Escalation[] | undefined

  readonly status: ApprovalStatus
  /** Absent while pending, and if withdrawn or expired. */
  readonly decision?: Decision | undefined
  /** The name of the caller who settled it. */
  readonly by?: string | undefined
  /** The level above the asking session from which the answer came. */
  readonly level?: Level | undefined
  /** The way it was settled; absent where nobody decided, and in records of an older version. */
  readonly via?: Via | undefined
  readonly settledAt?: number | undefined
  /** How it ended, where the status does not say it. */
  readonly end?: StoredEnd | undefined
  /** The question whose call this one repeats. */
  readonly repeats?: ApprovalId | undefined
  /** If withdrawn: the question that asked the same again. */
  readonly supersededBy?: ApprovalId | undefined
  /** The rule that decided it or, if its effect is `ask`, by which it is asked about. */
  readonly verdict?: StoredVerdict | undefined
  /**
   * How far the decision was delivered: `sent` once it was written for the child or returned to the asking process,
   * `acknowledged` once the child has continued with it. If it is still `none` after the run has ended, it reached nobody.
   */
  readonly delivery: 'none' | 'sent' | 'acknowledged'
}

export interface Escalation {
  readonly by: string
  /** The id of the session that was responsible from then on, or `owner`. */
  readonly to: string
  readonly note?: string | undefined
  readonly at: number
}

/** A settlement takes effect once, and only on a pending approval. */
export interface Settlement {
  readonly approvalId: ApprovalId
  readonly status: Exclude<ApprovalStatus, 'pending'>
  readonly decision?: Decision | undefined
  readonly by?: string | undefined
  readonly level?: Level | undefined
  readonly via?: Via | undefined
  readonly verdict?: StoredVerdict | undefined
  readonly end?: StoredEnd | undefined
  readonly repeats?: ApprovalId | undefined
}

/** An approval after an answer, with what was remembered by it. */
export interface Answered extends Approval {
  readonly remembered?: RememberedGrant | undefined
}

interface RememberedGrant extends Remembered {
  readonly grantId?: GrantId | undefined
  readonly scope?: Scope | undefined
  readonly endsAt?: number | undefined
}
