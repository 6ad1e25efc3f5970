/** A clock that a test moves by hand. Its wall time can jump; its timers go by a time that cannot. */
import type { Clock } from '../../../src/base/clock.ts'

export class FakeClock implements Clock {
  /** What never jumps. */
  steady = 0
  #wall = 1_700_000_000_000
  #timers: { readonly at: number; readonly f: () => void }[] = []

  now(): number {
    return this.#wall + this.steady
  }

  setTimer(ms: number, f: () => void): () => void {
    const timer = { at: this.steady + ms, f }
    this.#timers.push(timer)
    return () => {
      this.#timers = this.#timers.filter((one) => one !== timer)
    }
  }

  jump(ms: number): void {
    this.#wall += ms
  }

  /** Time passes; what is due goes off, the earliest first. */
  advance(ms: number): void {
    const end = this.steady + ms
    for (;;) {
      const [next] = this.#timers.filter(({ at }) => at <= end).toSorted((a, b) => a.at - b.at)
      if (!next) break
      this.steady = Math.max(this.steady, next.at)
      this.#timers = this.#timers.filter((one) => one !== next)
      next.f()
    }
    this.steady = end
  }

  /** As with the process that set them. */
  forgetTimers(): void {
    this.#timers = []
  }
}
