import { withTimeout } from '../../async/with-timeout.ts'
import type { SessionEvent } from '../../events/session-event.ts'
import { MAX_LENGTH } from './coalesce-text.ts'

/**
 * Events that are read and not stored yet. Most are stored at once. Those at the end that nobody waits for, and that others
 * follow in a moment, wait for these, at most 100 ms or 2 KiB of text: a commit for each would take the processor from the
 * child while it works. The first text after a silence does not wait, because a reader does. The offset that goes with what
 * is stored lies before what waits, so a crash reads it again.
 */
export class EventBuffer {
  #events: { event: SessionEvent; end: number; at: number }[] = []
  #reached: number
  #stored: number
  #storedAt = 0

  constructor(offset: number) {
    this.#reached = offset
    this.#stored = offset
  }

  add(events: readonly SessionEvent[], end: number): void {
    for (const event of events) this.#events.push({ event, end, at: performance.now() })
    this.#reached = end
  }

  /** The offset behind all that was added, blank lines too. */
  reach(offset: number): void {
    this.#reached = offset
  }

  get reached(): number {
    return this.#reached
  }

  take(): { events: SessionEvent[]; offset: number } | undefined {
    return this.#take(this.#events.length)
  }

  /** Of lines that say nothing the offset alone is not worth a step: they are read again after a crash, and say nothing again. */
  takeFlushable(): { events: SessionEvent[]; offset: number } | undefined {
    if (this.#events.length === 0 && this.#reached - this.#stored < MOST_UNSTORED) return undefined
    const kept = this.#events.findLastIndex(({ event }) => !DEFERRABLE.has(event.type)) + 1
    const length = this.#events
      .slice(kept)
      .reduce((sum, { event }) => sum + (event.type === 'text.streamed' ? event.text.length : 0), 0)
    const silent = performance.now() - this.#storedAt >= HOLD_MS
    return this.#take(length >= (silent ? 1 : MAX_LENGTH) ? this.#events.length : kept)
  }

  /** The read, or `late` when what waits has waited long enough. */
  async orLate<T>(read: Promise<T>): Promise<T | 'late'> {
    const [first] = this.#events
    if (!first) return read
    return withTimeout(read, Math.max(0, first.at + HOLD_MS - performance.now()), 'late')
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
const MOST_UNSTORED = 1 << 16
