import { withTimeout } from '../../async/with-timeout.ts'
import type { SessionEvent } from '../../events/session-event.ts'
import { MAX_LENGTH } from './coalesce-text.ts'

/**
 * Events that are read and not stored yet. Most are stored at once. Deferrable events at the end are held back for at most
 * 100 ms or 2 KiB of text, so that they are stored with the events that follow: a commit for each would take the processor from
 * the child while it works. The first text after a silence is not held back, because a reader waits for it. The stored offset
 * lies before the held events, so after a crash they are read again.
 */
export class EventBuffer {
  #events: { event: SessionEvent; end: number; addedAt: number; canWait: boolean }[] = []
  #reached: number
  #stored: number
  #storedAt = 0

  constructor(offset: number) {
    this.#reached = offset
    this.#stored = offset
  }

  /** With `canWait` these events are deferrable, whatever they are. */
  add(events: readonly SessionEvent[], end: number, { canWait = false } = {}): void {
    for (const event of events)
      this.#events.push({
        event,
        end,
        addedAt: performance.now(),
        canWait: canWait || DEFERRABLE.has(event.type),
      })
    this.#reached = end
  }

  /** Sets the offset after all lines that were read, blank lines too. */
  reach(offset: number): void {
    this.#reached = offset
  }

  get reached(): number {
    return this.#reached
  }

  take(): { events: SessionEvent[]; offset: number } | undefined {
    return this.#take(this.#events.length)
  }

  /** Lines without events are not worth a step for their offset alone: after a crash they are read again, without effect. */
  takeFlushable(): { events: SessionEvent[]; offset: number } | undefined {
    if (this.#events.length === 0 && this.#reached - this.#stored < MAX_UNSTORED) return undefined
    const kept = this.#events.findLastIndex(({ canWait }) => !canWait) + 1
    const length = this.#events
      .slice(kept)
      .reduce((sum, { event }) => sum + (event.type === 'text.streamed' ? event.text.length : 0), 0)
    const silent = performance.now() - this.#storedAt >= HOLD_MS
    return this.#take(length >= (silent ? 1 : MAX_LENGTH) ? this.#events.length : kept)
  }

  /** The result of the read, or `late` when the oldest event was held back long enough. */
  async orLate<T>(read: Promise<T>): Promise<T | 'late'> {
    const [first] = this.#events
    if (!first) return read
    return withTimeout(read, Math.max(0, first.addedAt + HOLD_MS - performance.now()), 'late')
  }

  #take(count: number): { events: SessionEvent[]; offset: number } | undefined {
    const all = count === this.#events.length
    const taken = this.#events.slice(0, count)
    const offset = all ? this.#reached : (taken.at(-1)?.end ?? this.#stored)
    if (offset === this.#stored) return undefined
    this.#events = this.#events.slice(count)
    this.#stored = offset
    this.#storedAt = performance.now()
    return { events: taken.map(({ event }) => event), offset }
  }
}

const DEFERRABLE: ReadonlySet<SessionEvent['type']> = new Set([
  'turn.started',
  'prompt.echoed',
  'tool.used',
  'text.streamed',
])
const HOLD_MS = 100
const MAX_UNSTORED = 1 << 16
