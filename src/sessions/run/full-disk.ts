import type { SessionEvent } from '../../events/session-event.ts'
import { isBusy, type SessionState } from '../record/session-state.ts'

/** What is known about output that a child may have lost. */
export interface LossState {
  /** How much the child had written when it was last seen at work on a full disk. */
  readonly writtenWhenFull?: number | undefined
  /** Something was lost, and the child has not come to rest since. */
  readonly lost: boolean
  /** When the child had been given the interrupt that follows from a loss, in ms. */
  readonly interruptedAt?: number | undefined
}

/** A busy child (a turn, a prompt, a question or an agent is open) and its disk, as they are looked at every second. */
export interface Look {
  readonly now: number
  /** The child does something that it would report: it waits for nobody. */
  readonly atWork: boolean
  /** The child was given everything that it may wait for. */
  readonly upToDate: boolean
  readonly diskFull: boolean
  /** How many bytes the child has written in all. */
  readonly written: number
  /** How many of these were read and, as far as they say something, stored. */
  readonly read: number
}

/** `lost`: store that something was lost. `stuck`: the interrupt did not end the turn, so end the child. */
export type Verdict = 'nothing' | 'disk full' | 'lost' | 'stuck'

export const NO_LOSS: LossState = { lost: false }

/**
 * A child writes each line once, and what the disk does not take is gone, without a trace where it took no part of the line. So
 * a child that was at work on a full disk, and has written nothing since there is space, may wait for an answer to a question
 * that nobody saw, or be done without having reported it. One that continues to write has lost words at most.
 *
 * After a loss the turn is interrupted. But what was lost may have been the end of the turn itself, the echo of a prompt or the
 * end of an agent: then an interrupt changes nothing, and whoever waits for the session would wait for ever. So a child that is
 * not at rest some seconds after the interrupt is stuck.
 */
export function afterLook(state: LossState, look: Look): { state: LossState; verdict: Verdict } {
  const { lost } = state
  const interruptedAt = lost && look.upToDate ? (state.interruptedAt ?? look.now) : state.interruptedAt
  if (lost && interruptedAt !== undefined && look.now - interruptedAt >= REST_MS)
    return { state: NO_LOSS, verdict: 'stuck' }
  const { verdict, writtenWhenFull } = onDisk(state, look)
  return { state: { lost, interruptedAt, writtenWhenFull }, verdict }
}

function onDisk(
  { writtenWhenFull }: LossState,
  { diskFull, atWork, written, read }: Look,
): { verdict: Verdict; writtenWhenFull?: number | undefined } {
  if (diskFull) {
    const isNew = atWork && writtenWhenFull === undefined
    return { verdict: isNew ? 'disk full' : 'nothing', writtenWhenFull: atWork ? written : writtenWhenFull }
  }
  if (writtenWhenFull === undefined || written > writtenWhenFull) return { verdict: 'nothing' }
  // What it wrote before comes first.
  return read < written ? { verdict: 'nothing', writtenWhenFull } : { verdict: 'lost' }
}

/**
 * What stored events, and the state after them, say of a loss. A turn that begins after a loss has lost nothing, but agents
 * that were there before may have.
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
