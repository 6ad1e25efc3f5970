import { isAtWork } from '../../sessions/record/at-work.ts'
import type { Approval } from '../../approvals/approval.ts'
import type { Caller } from '../../callers/access-rules.ts'
import type { Level } from '../../events/approval-fields.ts'
import type { Outside, SessionStatus } from '../../sessions/record/session.ts'

/** A session above the one that asks. */
export interface Ancestor {
  readonly id: string
  readonly status: SessionStatus
  readonly stopped?: boolean | undefined
  readonly knows?: readonly string[] | undefined
  readonly outside?: Outside | undefined
}

/** Above all sessions of a tree: the client or operator that owns the topmost session. */
export const OWNER = 'owner'

interface EscalationState {
  /** Only a person may answer, so no session is responsible. */
  readonly personOnly?: boolean
  readonly escalations?: Approval['escalations']
  /** The notice id that the parent session can be woken for, if it can. */
  readonly wakesFor?: string | undefined
}

/**
 * The id of the answerer. That is the nearest ancestor that is at work (`above` has the nearest first), because an idle
 * session does not notice questions; except that an idle parent counts if it can be woken. An escalated question starts at
 * the highest level that it was escalated to. If no session is found, the owner answers.
 */
export function responsibleFor(
  above: readonly Ancestor[],
  { personOnly = false, escalations = [], wakesFor }: EscalationState = {},
): string {
  if (personOnly) return OWNER
  const reached = escalations.map(({ to }) => {
    const index = above.findIndex(({ id }) => id === to)
    return index === -1 ? above.length : index
  })
  const from = Math.max(0, ...reached)
  const [nearest] = above
  if (from === 0 && nearest && wakesFor !== undefined && canBeWoken(nearest, wakesFor)) return nearest.id
  return above.slice(from).find(canAnswer)?.id ?? OWNER
}

/** A terminal has no tools to answer with. */
function canAnswer(session: Ancestor): boolean {
  return isAtWork(session) && session.outside?.to !== 'terminal'
}

/** Its last turn succeeded, nobody stopped it, and it does not know this notice yet. */
export function canBeWoken({ status, stopped, knows }: Ancestor, noticeId: string): boolean {
  return status === 'done' && !stopped && !knows?.includes(noticeId)
}

/** Where a question goes when `from` escalates it; undefined if nobody is above. */
export function nextAbove(
  above: readonly Ancestor[],
  from: string,
  state: EscalationState = {},
): string | undefined {
  if (from === OWNER) return undefined
  const own = above.findIndex(({ id }) => id === from)
  const after = responsibleFor(above.slice(own + 1))
  const now = responsibleFor(above, state)
  const places = [...above.map(({ id }) => id), OWNER]
  return places.indexOf(now) > places.indexOf(after) ? now : after
}

/** The id of a caller as an answerer. */
export function answererIdOf({ kind, name }: Caller): string {
  return kind === 'session' ? name : OWNER
}

/** The level of an answer: 0 is the parent session, 1 its parent, …. */
export function levelOf(caller: Caller, above: readonly string[]): Level {
  if (caller.person) return 'person'
  return caller.kind === 'session' ? above.indexOf(caller.name) : 'owner'
}
