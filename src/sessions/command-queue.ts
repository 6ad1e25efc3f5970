import { PromiseQueue } from '../async/promise-queue.ts'

/** The commands of a session: starts, prompts and stops run one at a time. */
export class CommandQueue {
  readonly #queue = new PromiseQueue()
  #launching: Promise<void> = Promise.resolve()
  #queued = 0

  /** Nothing runs, and nothing waits for its turn. */
  get isEmpty(): boolean {
    return this.#queued === 0
  }

  run<T>(work: () => Promise<T>): Promise<T> {
    this.#queued += 1
    const result = this.#queue.run(() =>
      work().finally(() => {
        this.#queued -= 1
      }),
    )
    void this.#queue.run(() => this.#launching) // the next waits for the process, this result does not
    return result
  }

  /** For a command that has started a process: the next command waits until it is launched. */
  holdUntil(launched: Promise<void>): void {
    this.#launching = launched
  }

  /** Resolves once all commands so far have finished, also if they failed, and their process is launched. */
  settled(): Promise<unknown> {
    return this.#queue.settled()
  }
}
