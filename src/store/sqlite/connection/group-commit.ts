import type { Connection } from './connection.ts'

export interface GroupOptions<T> {
  /** The commit has reached the disk before the promise resolves. */
  readonly durable?: boolean | undefined
  /** Called right after the commit, before any reader can see it; must not throw. */
  readonly onCommitted?: ((result: T) => void) | undefined
}

interface Work {
  readonly durable: boolean
  /** Returns a callback for after the commit. */
  readonly run: () => () => void
  readonly reject: (error: unknown) => void
}

/**
 * Shares a commit between all work that arrives in the same turn of the event loop: a commit costs more than the few
 * rows in it, and a durable commit waits for the disk. Nothing waits for more work to arrive. Each piece of work is stored
 * whole or not at all, and its failure affects no other: the shared transaction is rolled back, and each piece is repeated
 * in its own transaction, in the same order. So `work` may run twice and must do nothing but write.
 */
export class GroupCommit {
  readonly #connection: Connection
  #waiting: Work[] = []

  constructor(connection: Connection) {
    this.#connection = connection
  }

  add<T>(work: () => T, { durable = false, onCommitted }: GroupOptions<T> = {}): Promise<T> {
    return new Promise((resolve, reject) => {
      const run = () => {
        const result = work()
        return () => {
          onCommitted?.(result)
          resolve(result)
        }
      }
      if (this.#waiting.length === 0) setImmediate(() => this.flush())
      this.#waiting.push({ durable, run, reject })
    })
  }

  /** Commits all waiting work now. */
  flush(): void {
    const group = this.#waiting
    this.#waiting = []
    const failure = this.#commit(group)
    if (!failure) return
    // If no transaction could begin (the database is busy, the disk is full), nothing can be stored now.
    if (group.length === 1 || !failure.begun) return group.forEach(({ reject }) => reject(failure.error))
    for (const work of group) {
      const alone = this.#commit([work])
      if (alone) work.reject(alone.error)
    }
  }

  #commit(group: readonly Work[]): { readonly error: unknown; readonly begun: boolean } | undefined {
    if (group.length === 0) return undefined
    let begun = false
    const runAll = () => {
      begun = true
      return group.map(({ run }) => run())
    }
    const durable = group.some((work) => work.durable)
    try {
      for (const committed of this.#connection.transaction(runAll, { durable })) committed()
      return undefined
    } catch (error) {
      return { error, begun }
    }
  }
}
