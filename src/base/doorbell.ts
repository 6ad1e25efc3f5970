/**
 * A nudge between a writer and one waiter. The truth is elsewhere (a row, a file): a doorbell only saves
 * waiting. Listen first, then read, then wait: a ring between the read and the wait is kept.
 */
export class Doorbell {
  #rung = false
  #wake: (() => void) | undefined

  ring(): void {
    this.#rung = true
    this.#wake?.()
  }

  /** Returns true when rung since the last call, false when `ms` have passed first; throws when aborted. */
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
