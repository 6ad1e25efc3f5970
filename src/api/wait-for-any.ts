import type { Session } from '../sessions/session.ts'
import type { Context } from './operation.ts'

export interface AnyReady {
  /** Those that need the caller, and those whose end they have not been told of. */
  readonly ready: readonly Session[]
  /** The others that are at work. */
  readonly left: readonly Session[]
}

/**
 * Waits for all sessions of the caller at once. What is at work now, or was known to be when they last called, is named to
 * the engine: so no end is missed, neither between two calls nor in one that outlives its hub.
 */
export async function waitForAny(
  { engine, who, atWork }: Context,
  secondsFor: (busy: readonly Session[]) => number,
): Promise<AnyReady> {
  const known = atWork?.known ?? []
  const busy = await engine.listSessions(who, { status: ['running', 'waiting'], limit: MOST })
  const ids = new Set(busy.map(({ id }) => id))
  atWork?.note(ids)
  const ready = await engine.waitFor(who, {
    atWork: [...new Set([...ids, ...known])],
    seconds: secondsFor(busy),
  })
  const isReady = (id: string) => ready.some((one) => one.id === id)
  // Not at work, and yet not told: it is gone, or its end is the concern of somebody nearer.
  if (!who.signal?.aborted) atWork?.forget(known.filter((id) => !ids.has(id) && !isReady(id)))
  return { ready, left: busy.filter(({ id }) => !isReady(id)) }
}

const MOST = 500
