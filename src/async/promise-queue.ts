/** Runs asynchronous work one after the other, in the order of the calls. A failure does not stop the queue. */
export class PromiseQueue {
  #last: Promise<unknown> = Promise.resolve()

  /** Resolves or rejects as `work` does, once all earlier work has finished. */
  run<T>(work: () => Promise<T> | T): Promise<T> {
    const result = this.#last.then(work)
    this.#last = result.catch(() => {})
    return result
  }

  /** Resolves once all work so far has finished, also if it failed. */
  settled(): Promise<unknown> {
    return this.#last
  }
}
