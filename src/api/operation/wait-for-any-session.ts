import { AT_WORK } from '../../sessions/record/at-work.ts'
import type { PendingQuestion } from '../../engine/engine.ts'
import type { Session } from '../../sessions/record/session.ts'
import type { Context } from './operation.ts'

export interface AnyReady {
  /** Those that need the caller, new or not, and those whose end they have not been told of. */
  readonly ready: readonly Session[]
  /** The others that are at work. */
  readonly left: readonly Session[]
}

/**
 * Waits for all sessions of the caller at once. What is at work now, or was known to be when they last called, is named to
 * the engine: so no end is missed, neither between two calls nor in one that outlives its hub. The questions that they
 * were given, or say that they leave open, do not end the wait.
 */
export async function waitForAny(
  { engine, who, memory }: Context,
  secondsFor: (busy: readonly Session[]) => number,
  leftOpen: readonly string[] = [],
): Promise<AnyReady> {
  const known = memory?.sessions ?? []
  const busy = await engine.listSessions(who, { status: AT_WORK, limit: MOST })
  const ids = new Set(busy.map(({ id }) => id))
  memory?.noteWorking(ids)
  const ready = await engine.waitFor(who, {
    atWork: [...new Set([...ids, ...known])],
    known: [...new Set([...(memory?.questions ?? []), ...leftOpen])],
    seconds: secondsFor(busy),
  })
  const isReady = (id: string) => ready.some((one) => one.id === id)
  // Not at work, and yet not told: it is gone, or its end is the concern of somebody nearer.
  if (!who.signal?.aborted) memory?.drop(known.filter((id) => !ids.has(id) && !isReady(id)))
  return { ready, left: busy.filter(({ id }) => !isReady(id)) }
}

/**
 * Of the questions of these sessions, those that are the caller's to answer. One that they see and another session is to
 * answer may become theirs, and is news then.
 */
export async function ownQuestions(
  { engine, who }: Context,
  sessions: readonly Pick<Session, 'parentId'>[],
  asked: readonly PendingQuestion[],
): Promise<readonly PendingQuestion[]> {
  if (asked.length === 0 || sessions.every(({ parentId }) => parentId === undefined)) return asked
  const own = new Set((await engine.pending(who, {})).map(({ id }) => id))
  return asked.filter(({ id }) => own.has(id))
}

const MOST = 500
