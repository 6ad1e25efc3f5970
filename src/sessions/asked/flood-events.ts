import {
  countAsked,
  type Flood,
  type FloodLimits,
  isHeld,
  type NextQuestion,
  show,
} from '../../approvals/floods/flood.ts'
import { FLOOD_INPUT, FLOOD_TOOL } from '../../approvals/floods/flood-question.ts'
import { DENIED_WITH_OTHERS } from '../../approvals/ends/model-sentences.ts'
import { approvalIdOf, type SessionKey } from '../../base/ids.ts'
import { definedFields } from '../../base/defined-fields.ts'
import { pendingApprovals, type RunState } from '../../child/state/run-state.ts'
import type { Decision } from '../../events/decision.ts'
import type { EventOf, SessionEvent } from '../../events/session-event.ts'

type Opened = EventOf<'approval.opened'>

/** What a question of the session is counted by. */
interface Counting {
  readonly flood: Flood
  readonly open: RunState
  readonly turn: number
}

/** A question that a person is asked, with its time, and held back if very many came before it. */
export function countedQuestion(opened: Opened, counting: Counting, at: number, limits: FloodLimits): Opened {
  const next = { turn: counting.turn, at, held: heldIn(counting.open).length }
  return { ...opened, askedAt: at, ...(isHeld(counting.flood, next, limits) ? { held: true } : {}) }
}

/** The fold. `open` and `turn` are those after the event. */
export function evolveFlood({ flood, open, turn }: Counting, event: SessionEvent): Flood {
  if (event.type === 'approval.settled' && event.flood === 'show') return show(flood)
  if (event.type !== 'approval.opened' || event.askedAt === undefined) return flood
  // It decides whether a person is still shown what is held back, one after the other; else nobody needs it.
  const held = flood.showing ? heldBeside(event, open) : 0
  const next: NextQuestion = { turn, at: event.askedAt, held }
  return countAsked(flood, next)
}

function heldBeside({ approvalId }: Opened, open: RunState): number {
  return heldIn(open).filter((other) => other.approvalId !== approvalId).length
}

/**
 * What follows for the questions that are held back: one question stands for them while they are, and when that is answered
 * with no, each of them is denied by the same caller.
 */
export function floodEvents(
  sessionId: SessionKey,
  { flood, open }: Omit<Counting, 'turn'>,
  event: SessionEvent,
): SessionEvent[] {
  if (open.approvals.size === 0) return []
  const held = heldIn(open)
  if (event.type === 'approval.settled' && event.flood === 'deny')
    return held.map((opened) => deniedWithOthers(opened, event))
  const standing = pendingApprovals(open).find((opened) => opened.flood)
  if (held.length === 0)
    return standing
      ? [{ type: 'approval.settled', approvalId: standing.approvalId, status: 'withdrawn' }]
      : []
  return standing || flood.showing ? [] : [floodQuestion(sessionId, held[0])]
}

function heldIn(open: RunState): Opened[] {
  return pendingApprovals(open).filter(({ held }) => held)
}

/** Derived from the first that it stands for: read again after a crash, it is the same question. */
function floodQuestion(sessionId: SessionKey, first: Opened | undefined): Opened {
  const requestId = `plexus-flood ${first?.requestId ?? ''}`
  const approvalId = approvalIdOf(sessionId, requestId)
  const about = { toolName: FLOOD_TOOL, input: FLOOD_INPUT }
  return { type: 'approval.opened', approvalId, requestId, kind: 'question', ...about, flood: true }
}

function deniedWithOthers(
  { approvalId, kind }: Opened,
  { by, level, via, caller, shownAt }: EventOf<'approval.settled'>,
): SessionEvent {
  const decision: Decision =
    kind === 'form'
      ? { behavior: 'form', action: 'decline' }
      : { behavior: 'deny', message: DENIED_WITH_OTHERS }
  const source = definedFields({ by, level, via, caller, shownAt })
  return { type: 'approval.settled', approvalId, status: 'denied', decision, end: 'with others', ...source }
}
