import type { SessionEvent } from '../../events/session-event.ts'
import { isBusy, type SessionState } from '../record/session-state.ts'

/** What we know about output that a child may have lost. */
export interface LossState {
  /** How much the child had written when it was last seen at work on a full disk. */
  readonly writtenWhenFull?: number | undefined
  /** Output was lost, and the child has not been idle since. */
  readonly lost: boolean
  /** When the child was sent the interrupt that follows a loss, in ms. */
  readonly interruptedAt?: number | undefined
}

/** A busy child (a turn, a prompt, a question or an agent is open) and its disk, at one of the checks. */
export interface Check {
  readonly now: number
  /** The child does something that it would report: it waits for no answer. */
  readonly atWork: boolean
  /** The child was given everything that it may wait for. */
  readonly upToDate: boolean
  readonly diskFull: boolean
  /** The bytes that the child has written in all. */
  readonly written: number
  /** The bytes that were read, and stored if they held events. */
  readonly read: number
}

/** `lost`: store that output was lost. `stuck`: the interrupt did not end the turn, so end the child. */
export type Verdict = 'nothing' | 'disk full' | 'lost' | 'stuck'

export const NO_LOSS: LossState = { lost: false }

/**
 * A child writes each line once. What the disk does not take is gone, without a trace if it took no part of the line. So a
 * child that was at work on a full disk, and has written nothing since there is space, may wait for an answer to a question
 * that we never saw, or be done without having reported it. A child that continues to write has lost words at most.
 *
 * After a loss the turn is interrupted. But the lost line may have been the end of the turn itself, the echo of a prompt or the
 * end of an agent: then an interrupt changes nothing, and a wait for the session would never end. So a child that is still busy
 * some seconds after the interrupt is stuck.
 */
export function afterCheck(state: LossState, check: Check): { state: LossState; verdict: Verdict } {
  const { lost } = state
  const interruptedAt = lost && check.upToDate ? (state.interruptedAt ?? check.now) : state.interruptedAt
  if (check.now - (interruptedAt ?? check.now) >= REST_MS) return { state: NO_LOSS, verdict: 'stuck' }
  const { verdict, writtenWhenFull } = onDisk(state, check)
  return { state: { lost, interruptedAt, writtenWhenFull }, verdict }
}

function onDisk(
  { writtenWhenFull }: LossState,
  { diskFull, atWork, written, read }: Check,
): { verdict: Verdict; writtenWhenFull?: number | undefined } {
  if (diskFull) {
    const isNew = atWork && writtenWhenFull === undefined
    return { verdict: isNew ? 'disk full' : 'nothing', writtenWhenFull: atWork ? written : writtenWhenFull }
  }
  if (writtenWhenFull === undefined || written > writtenWhenFull) return { verdict: 'nothing' }
  // First read what it wrote before.
  return read < written ? { verdict: 'nothing', writtenWhenFull } : { verdict: 'lost' }
}

/**
 * The loss state after these stored events. A turn that begins after a loss has lost nothing, but agents that ran before may
 * have.
 */
export function afterEvents(
  loss: LossState,
  events: readonly SessionEvent[],
  session: SessionState,
): LossState {
  let { lost } = loss
  for (const { type } of events) {
    if (type === 'line.unparsed') lost = true
    if (type === 'turn.started') lost &&= session.agents.length > 0
  }
  lost &&= isBusy(session)
  return { ...loss, lost, interruptedAt: lost ? loss.interruptedAt : undefined }
}

const REST_MS = 5_000
