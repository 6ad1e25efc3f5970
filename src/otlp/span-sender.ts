import { setTimeout as wait } from 'node:timers/promises'
import { PromiseQueue } from '../async/promise-queue.ts'
import { withTimeout } from '../async/with-timeout.ts'
import type { SessionEvent } from '../events/session-event.ts'
import { SessionSpans, type TracedSession } from './session-spans.ts'
import { type Span, traceRequest } from './span.ts'

interface SenderOptions {
  /** The collector, with or without the path `/v1/traces`. */
  readonly endpoint: string
  readonly onError: (reason: string) => void
  /** For tests. */
  readonly everyMs?: number
}

const EVERY_MS = 1_000
const MAX_WAITING = 10_000
const BATCH = 500
const TRIES = 3
const LIMIT_MS = 10_000
const CLOSE_MS = 3_000

/** Sends spans to a collector, some at a time and never in the way of a session. Spans that a collector does not take are dropped. */
export class SpanSender {
  readonly #url: string
  readonly #options: SenderOptions
  readonly #sessions = new Map<string, SessionSpans>()
  readonly #queue = new PromiseQueue()
  #waiting: Span[] = []
  #timer: NodeJS.Timeout | undefined

  constructor(options: SenderOptions) {
    this.#options = options
    const base = options.endpoint.replace(/\/+$/, '')
    this.#url = base.endsWith('/v1/traces') ? base : `${base}/v1/traces`
  }

  /** Must get the stored events of every session, in order. */
  stored(session: TracedSession, events: readonly SessionEvent[], at: number): void {
    const spans = this.#sessions.get(session.id) ?? new SessionSpans()
    for (const event of events) this.#add(spans.add(session, event, at))
    if (spans.isEmpty) this.#sessions.delete(session.id)
    else this.#sessions.set(session.id, spans)
  }

  /** Sends what waits, for a moment. */
  async close(): Promise<void> {
    clearTimeout(this.#timer)
    await withTimeout(this.#flush(), CLOSE_MS, undefined)
  }

  #add(spans: readonly Span[]): void {
    if (spans.length === 0) return
    this.#waiting.push(...spans)
    const dropped = this.#waiting.length - MAX_WAITING
    if (dropped > 0) this.#waiting = this.#waiting.slice(dropped)
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined
      void this.#flush()
    }, this.#options.everyMs ?? EVERY_MS).unref()
  }

  #flush(): Promise<void> {
    return this.#queue.run(async () => {
      while (this.#waiting.length > 0) await this.#send(this.#waiting.splice(0, BATCH))
    })
  }

  async #send(spans: readonly Span[]): Promise<void> {
    const body = JSON.stringify(traceRequest(spans))
    for (let left = TRIES - 1; ; left--) {
      const reason = await post(this.#url, body)
      if (reason === undefined) return
      if (left === 0) return this.#options.onError(reason)
      await wait(this.#options.everyMs ?? EVERY_MS, undefined, { ref: false })
    }
  }
}

async function post(url: string, body: string): Promise<string | undefined> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
      redirect: 'error',
      signal: AbortSignal.timeout(LIMIT_MS),
    })
    await response.body?.cancel()
    return response.ok ? undefined : `status ${response.status}`
  } catch {
    return 'it could not be reached'
  }
}
