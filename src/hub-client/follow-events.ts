import { setTimeout as sleep } from 'node:timers/promises'
import type { SessionKey } from '../base/ids.ts'
import { AppError } from '../base/errors.ts'
import type { Page } from '../sessions/record/read-events.ts'
import type { CallContext } from '../engine/engine.ts'
import { claimHeaders } from '../callers/caller-claim.ts'
import type { HubConnection } from './hub-connection.ts'
import { PATIENCE_MS, RETRY_MS } from './retry-times.ts'
import { endOf, pagesOf, SseFrames } from './sse-frames.ts'

/**
 * Every event once and in order, over as many connections as it takes. If there is no hub at the beginning, that is an error;
 * a hub that ends has some time to be restarted, because the next hub continues where it was.
 */
export async function* followHub(
  hub: HubConnection,
  { caller, signal = new AbortController().signal }: CallContext,
  sessionId: SessionKey,
  after: number,
): AsyncGenerator<Page, void> {
  const headers = claimHeaders(caller)
  let last = after
  let failures: number | undefined
  while (!signal.aborted) {
    try {
      const mayStart = failures === undefined || failures * RETRY_MS >= PATIENCE_MS
      const response = await hub.events(sessionId, last, { headers, signal, mayStart })
      failures ??= 0
      const frames = new SseFrames()
      for await (const chunk of response.setEncoding('utf8'))
        for (const page of pagesOf(frames.take(String(chunk)), last)) {
          last = endOf(page, last)
          failures = 0
          yield page
        }
    } catch (error) {
      if (signal.aborted) return
      if (failures === undefined || (error instanceof AppError && error.code !== 'busy')) throw error
      if (++failures > RETRIES) throw error
    }
    await sleep(RETRY_MS, undefined, { signal }).catch(() => {})
  }
}

const RETRIES = 120
