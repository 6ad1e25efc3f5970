import { setTimeout as sleep } from 'node:timers/promises'
import type { Engine, CallContext } from '../../engine/engine.ts'
import type { Session } from '../../sessions/record/session.ts'

export interface Changes {
  /** The sessions that something has happened in. */
  readonly sessions: readonly Session[]
  /** Whether one of them was not there before. */
  readonly came: boolean
}

/** How the sessions that a caller may see stand now: what is told later is told against it. */
export async function seenNow(engine: Engine, who: CallContext): Promise<Record<string, number>> {
  return seqsOf(await engine.listSessions(who, { limit: MOST }))
}

/** What changes in the sessions that a caller may see, and in no others, until the wait is ended. */
export async function* sessionChanges(
  engine: Engine,
  who: CallContext & { readonly signal: AbortSignal },
  first: Record<string, number>,
): AsyncGenerator<Changes, void> {
  const seen = { ...first }
  while (!who.signal.aborted) {
    // A hub that has gone has a next one.
    const sessions = await engine.waitFor(who, { seen, seconds: 50 }).catch(() => undefined)
    if (who.signal.aborted) return
    if (sessions && sessions.length > 0) {
      yield { sessions, came: sessions.some(({ id }) => !Object.hasOwn(seen, id)) }
      Object.assign(seen, seqsOf(sessions))
    }
    await sleep(sessions ? PAUSE_MS : RETRY_MS, undefined, { signal: who.signal }).catch(() => {})
  }
}

function seqsOf(sessions: readonly Session[]): Record<string, number> {
  return Object.fromEntries(sessions.map(({ id, lastSeq }) => [id, lastSeq]))
}

const MOST = 100
/** A session that writes is not told of word by word. */
const PAUSE_MS = 200
const RETRY_MS = 2_000
