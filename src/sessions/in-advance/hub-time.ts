/**
 * The hub's clock for what ends by itself: the clock of the machine, but it never goes back. If somebody sets the machine's
 * clock back, time still passes here as a clock that does not jump measures it, so that nothing lives longer than it was
 * given. A clock that is set forward ends things early, which is the safe side.
 */
export class HubTime {
  readonly #wall: () => number
  readonly #steady: () => number
  #last: number
  #measuredAt: number

  constructor(wall: () => number = Date.now, steady: () => number = () => performance.now()) {
    this.#wall = wall
    this.#steady = steady
    this.#last = wall()
    this.#measuredAt = steady()
  }

  /** It was at least this late when an earlier hub stored something. */
  notBefore(time: number): void {
    this.#last = Math.max(this.now(), time)
  }

  now(): number {
    const steady = this.#steady()
    this.#last = Math.max(this.#wall(), this.#last + Math.max(0, steady - this.#measuredAt))
    this.#measuredAt = steady
    return Math.floor(this.#last)
  }
}
