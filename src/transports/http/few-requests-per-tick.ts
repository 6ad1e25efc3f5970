/** With fewer, answers that arrive together would not share a commit; each turn would wait for the disk once for every answer. */
export const MAX_PER_TICK = 16

/**
 * Starts a few tasks in each turn of the event loop, in order. Node accepts one new connection per turn: if a turn contained
 * the work of a hundred open connections, a new connection would wait a hundred times as long as they do.
 */
export class FewPerTick {
  readonly #waiting: (() => void)[] = []
  /** How many were started in this turn. */
  #started = 0

  take(start: () => void): void {
    if (this.#started < MAX_PER_TICK) this.#start(start)
    else this.#waiting.push(start)
  }

  #start(start: () => void): void {
    if (this.#started === 0) setImmediate(() => this.#nextTurn())
    this.#started++
    start()
  }

  #nextTurn(): void {
    this.#started = 0
    for (const start of this.#waiting.splice(0, MAX_PER_TICK)) this.#start(start)
  }
}
