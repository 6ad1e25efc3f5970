import type { ApprovalKind, Decision, Level } from '../events/session-event.ts'
import type { Via } from '../base/answer-via.ts'
import type { Remembered } from './grant-rule.ts'

export type ApprovalStatus = 'pending' | 'allowed' | 'denied' | 'expired' | 'withdrawn'

/** One question of a child. */
export interface Approval {
  readonly id: string
  readonly sessionId: string
  readonly turn: number
  readonly kind: ApprovalKind
  readonly toolName: string
  /** As received, and the SHA-256 of its JSON. */
  readonly input: Readonly<Record<string, unknown>>
  readonly inputSha256: string
  readonly requestId: string
  readonly toolUseId?: string | undefined
  readonly agentId?: string | undefined
  /** The folder that the call would be made in, where our hook was told. */
  readonly cwd?: string | undefined
  readonly carrier: 'control' | 'mcp'
  readonly suggestions?: readonly unknown[] | undefined
  readonly reason?: string | undefined
  readonly blockedPath?: string | undefined
  readonly openedAt: number
  /** How it was handed up, from level to level. */
  readonly escalations?: readonly Escalation[] | undefined

  readonly status: ApprovalStatus
  /** Absent while pending, and when withdrawn or expired. */
  readonly decision?: Decision | undefined
  /** Who settled it. */
  readonly by?: string | undefined
  /** From which level above the asking session that was. */
  readonly level?: Level | undefined
  /** By which way; absent where nobody decided, and in what an older version stored. */
  readonly via?: Via | undefined
  readonly settledAt?: number | undefined
  /**
   * How far the decision has got: `sent` once it was put for the child or told to who asked, `acknowledged` once the child
   * has gone on with it. What stays `none` after its run has ended never reached anybody.
   */
  readonly delivery: 'none' | 'sent' | 'acknowledged'
}

export interface Escalation {
  readonly by: string
  /** The session that was responsible from then on, or `owner`. */
  readonly to: string
  readonly note?: string | undefined
  readonly at: number
}

/** Takes effect once, and only on a pending approval. */
export interface Settlement {
  readonly approvalId: string
  readonly status: Exclude<ApprovalStatus, 'pending'>
  readonly decision?: Decision | undefined
  readonly by?: string | undefined
  readonly level?: Level | undefined
  readonly via?: Via | undefined
}

/** An approval as it stands after an answer, with what was remembered by it. */
export interface Answered extends Approval {
  readonly remembered?: Remembered | undefined
}
