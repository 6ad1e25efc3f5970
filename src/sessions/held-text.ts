import type { SessionEvent } from '../events/session-event.ts'
import { MAX_LENGTH } from './coalesce.ts'

/**
 * Events that are read and not stored yet. All are stored at once, but for streamed text at the end: it waits for
 * more of its kind, at most 100 ms or 2 KiB, unless nothing was stored for that long. The offset that goes with
 * what is stored lies before the text that waits, so a crash reads it again.
 */
export class Held {
  #events: { event: SessionEvent; end: number }[] = []
  #reached: number
  #stored: number
  #storedAt = 0

  constructor(offset: number) {
    this.#reached = offset
    this.#stored = offset
  }

  add(events: readonly SessionEvent[], end: number): void {
    for (const event of events) this.#events.push({ event, end })
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
  takeAllButFreshText(): { events: SessionEvent[]; offset: number } | undefined {
    if (this.#events.length === 0 && this.#reached - this.#stored < MOST_UNSTORED) return undefined
    const waits = performance.now() - this.#storedAt < HOLD_MS
    const last = waits ? this.#events.findLastIndex(({ event }) => event.type !== 'text.streamed') : -1
    const fresh = this.#events.slice(last + 1)
    const length = fresh.reduce(
      (sum, { event }) => sum + (event.type === 'text.streamed' ? event.text.length : 0),
      0,
    )
    return this.#take(waits && length < MAX_LENGTH ? last + 1 : this.#events.length)
  }

  /** The read, or `late` when the text that waits has waited long enough. */
  async orLate<T>(read: Promise<T>): Promise<T | 'late'> {
    if (this.#events.length === 0) return read
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<'late'>((resolve) => {
      timer = setTimeout(() => resolve('late'), Math.max(0, this.#storedAt + HOLD_MS - performance.now()))
    })
    return Promise.race([read, late]).finally(() => clearTimeout(timer))
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

const HOLD_MS = 100
const MOST_UNSTORED = 1 << 16
