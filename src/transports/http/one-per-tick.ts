/**
 * Begins one thing in each turn of the event loop, in order. The system hands over one new connection a turn: where a turn
 * has the work of a hundred open connections in it, whoever is new waits a hundred times as long as they do.
 */
export class Turns {
  readonly #waiting: (() => void)[] = []
  #isTaken = false

  take(begin: () => void): void {
    if (this.#isTaken) this.#waiting.push(begin)
    else this.#begin(begin)
  }

  #begin(begin: () => void): void {
    this.#isTaken = true
    setImmediate(() => {
      this.#isTaken = false
      const next = this.#waiting.shift()
      if (next) this.#begin(next)
    })
    begin()
  }
}
