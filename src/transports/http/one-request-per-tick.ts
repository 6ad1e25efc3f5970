/**
 * Starts one task in each turn of the event loop, in order. Node accepts one new connection per turn: if a turn contained
 * the work of a hundred open connections, a new connection would wait a hundred times as long as they do.
 */
export class OnePerTick {
  readonly #waiting: (() => void)[] = []
  #isStarting = false

  take(start: () => void): void {
    if (this.#isStarting) this.#waiting.push(start)
    else this.#start(start)
  }

  #start(start: () => void): void {
    this.#isStarting = true
    setImmediate(() => {
      this.#isStarting = false
      const next = this.#waiting.shift()
      if (next) this.#start(next)
    })
    start()
  }
}
