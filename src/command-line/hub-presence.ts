/** Whether the hub of a command answers. A screen shows it, because what it shows may be old. */
export class HubPresence {
  #awaySince: number | undefined
  readonly #listeners = new Set<() => void>()

  get awaySince(): number | undefined {
    return this.#awaySince
  }

  readonly note = (isThere: boolean): void => {
    if (isThere === (this.#awaySince === undefined)) return
    this.#awaySince = isThere ? undefined : Date.now()
    for (const listener of this.#listeners) listener()
  }

  /** Returns how to stop listening. */
  listen(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }
}
