/**
 * Wakes one waiter early. It carries no data: the state is elsewhere (a row, a file). Create the doorbell, then read the
 * state, then wait: a ring between the read and the wait is not lost.
 */
export class Doorbell {
  #rung = false
  #wake: (() => void) | undefined

  ring(): void {
    this.#rung = true
    this.#wake?.()
  }

  /** Returns true if it was rung since the last call, false after `ms` without a ring; throws when aborted. */
  async next(ms: number, signal?: AbortSignal): Promise<boolean> {
    signal?.throwIfAborted()
    if (!this.#rung) await this.#sleep(ms, signal)
    signal?.throwIfAborted()
    const rung = this.#rung
    this.#rung = false
    return rung
  }

  #sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', done)
        this.#wake = undefined
        resolve()
      }
      const timer = setTimeout(done, ms)
      signal?.addEventListener('abort', done, { once: true })
      this.#wake = done
    })
  }
}
