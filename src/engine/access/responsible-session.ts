import type { Approval } from '../../approvals/approval.ts'
import type { Caller } from '../../callers/access-rules.ts'
import type { Level } from '../../events/session-event.ts'
import type { SessionStatus } from '../../sessions/record/session.ts'

/** A session above the one that asks. */
export interface Ancestor {
  readonly id: string
  readonly status: SessionStatus
  readonly stopped?: boolean | undefined
  readonly knows?: readonly string[] | undefined
}

/** Who is above all sessions of a tree: the client or operator that the topmost belongs to. */
export const OWNER = 'owner'

interface EscalationState {
  /** Only a person may answer; no session is one. */
  readonly personOnly?: boolean
  readonly escalations?: Approval['escalations']
  /** What the session right above is woken for, if it is. */
  readonly wakesFor?: string | undefined
}

/**
 * Who is to answer: the nearest session above (`above` has the nearest first) that is at work, for one that is not hears
 * of nothing, unless it is the one right above and is woken for it; from where it was handed up to at the highest, if it was; and at the top the owner. Pure.
 */
export function responsibleFor(
  above: readonly Ancestor[],
  { personOnly = false, escalations = [], wakesFor }: EscalationState = {},
): string {
  if (personOnly) return OWNER
  const reached = escalations.map(({ to }) => {
    const at = above.findIndex(({ id }) => id === to)
    return at === -1 ? above.length : at
  })
  const from = Math.max(0, ...reached)
  const [nearest] = above
  if (from === 0 && nearest && wakesFor !== undefined && canBeWoken(nearest, wakesFor)) return nearest.id
  return above.slice(from).find(isAtWork)?.id ?? OWNER
}

/** Its turn has come to a good end, nobody stopped it, and it was not woken for this before. */
export function canBeWoken({ status, stopped, knows }: Ancestor, news: string): boolean {
  return status === 'done' && !stopped && !knows?.includes(news)
}

/** To whom a session (or the owner) hands on what it is not to answer itself; undefined where nobody is above. Pure. */
export function nextAbove(
  above: readonly Ancestor[],
  from: string,
  handed: EscalationState = {},
): string | undefined {
  if (from === OWNER) return undefined
  const own = above.findIndex(({ id }) => id === from)
  const after = responsibleFor(above.slice(own + 1))
  const now = responsibleFor(above, handed)
  const places = [...above.map(({ id }) => id), OWNER]
  return places.indexOf(now) > places.indexOf(after) ? now : after
}

/** What a caller is called in the two above. */
export function placeOf({ kind, name }: Caller): string {
  return kind === 'session' ? name : OWNER
}

/** From which level an answer comes: 0 is the session right above, 1 the one above that, …. */
export function levelOf(caller: Caller, above: readonly string[]): Level {
  if (caller.person) return 'person'
  return caller.kind === 'session' ? above.indexOf(caller.name) : 'owner'
}

export function isAtWork({ status }: Ancestor): boolean {
  return status === 'running' || status === 'waiting'
}
