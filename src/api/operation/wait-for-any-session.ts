import { AT_WORK } from '../../sessions/record/at-work.ts'
import type { PendingQuestion } from '../../engine/engine.ts'
import type { Session } from '../../sessions/record/session.ts'
import type { Context } from './operation.ts'

export interface AnyReady {
  /** Sessions that need the caller, new or not, and sessions whose end was not returned to it yet. */
  readonly ready: readonly Session[]
  /** The other sessions at work. */
  readonly left: readonly Session[]
}

/**
 * Waits for all sessions of the caller at once. The engine gets the ids of the sessions that are at work now, or were at the
 * caller's last call: so no end is missed, neither between two calls nor in a call that outlives its hub. Questions that were
 * already returned to the caller, or that it leaves open, do not end the wait.
 */
export async function waitForAny(
  { engine, call, memory }: Context,
  secondsFor: (busy: readonly Session[]) => number,
  leftOpen: readonly string[] = [],
): Promise<AnyReady> {
  const known = memory?.sessions ?? []
  const busy = await engine.listSessions(call, { status: AT_WORK, limit: MAX_LISTED })
  const ids = new Set<string>(busy.map(({ id }) => id))
  memory?.noteWorking(ids)
  const ready = await engine.waitFor(call, {
    atWork: [...new Set([...ids, ...known])],
    known: [...new Set([...(memory?.questions ?? []), ...leftOpen])],
    seconds: secondsFor(busy),
  })
  const isReady = (id: string) => ready.some((session) => session.id === id)
  // Not at work, and yet not returned: it was removed, or a nearer caller is responsible for its end.
  if (!call.signal?.aborted) memory?.drop(known.filter((id) => !ids.has(id) && !isReady(id)))
  return { ready, left: busy.filter(({ id }) => !isReady(id)) }
}

/**
 * The questions of these sessions that the caller is to answer. A question that the caller can see and another session is to
 * answer may become the caller's later, and is new then.
 */
export async function ownQuestions(
  { engine, call }: Context,
  sessions: readonly Pick<Session, 'parentId'>[],
  asked: readonly PendingQuestion[],
): Promise<readonly PendingQuestion[]> {
  if (asked.length === 0 || sessions.every(({ parentId }) => parentId === undefined)) return asked
  const own = new Set((await engine.pending(call, {})).map(({ id }) => id))
  return asked.filter(({ id }) => own.has(id))
}

const MAX_LISTED = 500
