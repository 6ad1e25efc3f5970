import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { MAX_WAIT_SECONDS } from '../base/limits.ts'
import type { Session } from '../sessions/record/session.ts'
import type { CallContext } from '../engine/engine.ts'
import type { WaitFor } from '../engine/wait-for-sessions.ts'
import { PATIENCE_MS, RETRY_MS } from './retry-times.ts'
import { NoHub } from './hub-address.ts'
import { claimHeaders } from '../callers/caller-claim.ts'
import type { HubConnection } from './hub-connection.ts'
import { HubLost } from './hub-responses.ts'

/**
 * A wait that survives the hub it began with: within its time it continues with the next hub. A hub that ends cleanly ends its
 * waits with an empty result, which counts as no answer if it comes early.
 */
export async function waitOverRestarts(
  hub: HubConnection,
  { caller, signal = new AbortController().signal }: CallContext,
  { seconds, ...input }: WaitFor,
): Promise<Session[]> {
  const deadline = performance.now() + Math.min(seconds, MAX_WAIT_SECONDS) * 1_000
  let lostAt: number | undefined
  while (!signal.aborted) {
    const left = Math.max(0, deadline - performance.now())
    const mayStart = lostAt === undefined || performance.now() - lostAt >= PATIENCE_MS || left === 0
    try {
      const options = { headers: claimHeaders(caller), signal, mayStart }
      const found = z
        .custom<Session[]>()
        .parse(await hub.call('waitFor', { ...input, seconds: left / 1_000 }, options))
      if (found.length > 0 || deadline - performance.now() < EARLY_MS) return found
    } catch (error) {
      if (signal.aborted) break
      const gone = error instanceof HubLost || (error instanceof NoHub && lostAt !== undefined)
      if (!gone || left === 0) throw error
    }
    lostAt ??= performance.now()
    await sleep(RETRY_MS, undefined, { signal }).catch(() => {})
  }
  return []
}

/** Clocks of two processes do not agree to the millisecond. */
const EARLY_MS = 250
