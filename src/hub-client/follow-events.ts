import type { IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { SessionKey } from '../base/ids.ts'
import { AppError } from '../base/errors.ts'
import type { Page } from '../sessions/record/read-events.ts'
import type { CallContext } from '../engine/engine.ts'
import { claimHeaders } from '../callers/caller-claim.ts'
import type { FollowAll, FollowedPage } from '../engine/follow-all.ts'
import type { CallOptions, HubConnection } from './hub-connection.ts'
import { PATIENCE_MS, RETRY_MS } from './retry-times.ts'
import { type SseFrame, SseFrames } from '../text/sse-frames.ts'
import { endOf, feedPagesOf, pagesOf } from './event-pages.ts'

/** Every event once and in order, over as many connections as it takes. */
export async function* followHub(
  hub: HubConnection,
  call: CallContext,
  sessionId: SessionKey,
  after: number,
): AsyncGenerator<Page, void> {
  let last = after
  const open = (options: CallOptions) => hub.events(sessionId, last, options)
  for await (const frames of resumedFrames(call, open))
    for (const page of pagesOf(frames, last)) {
      last = endOf(page, last)
      yield page
    }
}

/** Every step of all sessions once and in order. */
export async function* followFeed(
  hub: HubConnection,
  call: CallContext,
  { after, questions }: FollowAll,
): AsyncGenerator<FollowedPage, void> {
  let last = after
  const open = (options: CallOptions) => hub.feed({ after: last, questions }, options)
  for await (const frames of resumedFrames(call, open))
    for (const page of feedPagesOf(frames)) {
      if (last !== undefined && page.position <= last && !page.missed && page.steps.length > 0) continue
      last = page.position
      yield page
    }
}

/**
 * The frames of a stream that is opened again when it ends. If there is no hub at the beginning, that is an error; a hub that
 * ends has some time to be restarted, because the next hub continues where it was.
 */
async function* resumedFrames(
  { caller, signal = new AbortController().signal }: CallContext,
  open: (options: CallOptions) => Promise<IncomingMessage>,
): AsyncGenerator<SseFrame[], void> {
  const headers = claimHeaders(caller)
  let failures: number | undefined
  while (!signal.aborted) {
    try {
      const mayStart = failures === undefined || failures * RETRY_MS >= PATIENCE_MS
      const response = await open({ headers, signal, mayStart })
      failures ??= 0
      const frames = new SseFrames()
      for await (const chunk of response.setEncoding('utf8')) {
        const whole = frames.take(String(chunk))
        if (whole.length === 0) continue
        failures = 0
        yield whole
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
