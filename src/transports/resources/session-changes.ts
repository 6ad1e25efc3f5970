import { setTimeout as sleep } from 'node:timers/promises'
import type { Engine, CallContext } from '../../engine/engine.ts'
import type { Session } from '../../sessions/record/session.ts'

export interface SessionChanges {
  /** The sessions that have changed. */
  readonly sessions: readonly Session[]
  /** True if a session is new. */
  readonly isListChanged: boolean
}

/** The last seq of each session that the caller may read: the base for later changes. */
export async function currentSeqs(engine: Engine, call: CallContext): Promise<Record<string, number>> {
  return seqsOf(await engine.listSessions(call, { limit: MAX_SESSIONS }))
}

/** Yields the changes in sessions that the caller may read, until the signal is aborted. */
export async function* sessionChanges(
  engine: Engine,
  call: CallContext & { readonly signal: AbortSignal },
  first: Record<string, number>,
  pauseFor: Pause = pause,
): AsyncGenerator<SessionChanges, void> {
  const seen = { ...first }
  while (!call.signal.aborted) {
    // The hub may have ended; try again with the next hub.
    const sessions = await engine.waitFor(call, { seen, seconds: 50 }).catch(() => undefined)
    if (call.signal.aborted) return
    if (sessions && sessions.length > 0) {
      yield { sessions, isListChanged: sessions.some(({ id }) => !Object.hasOwn(seen, id)) }
      Object.assign(seen, seqsOf(sessions))
    }
    await pauseFor(sessions ? PAUSE_MS : RETRY_MS, call.signal)
  }
}

type Pause = (ms: number, signal: AbortSignal) => Promise<void>

/** Ends early when the signal is aborted. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => {})
}

function seqsOf(sessions: readonly Session[]): Record<string, number> {
  return Object.fromEntries(sessions.map(({ id, lastSeq }) => [id, lastSeq]))
}

const MAX_SESSIONS = 100
/** Limits the rate of updates for a session that is writing. */
const PAUSE_MS = 200
const RETRY_MS = 2_000
