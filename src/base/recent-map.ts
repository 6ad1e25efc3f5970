/** A map that keeps only the most recently set entries. */
export class RecentMap<Key, Value> extends Map<Key, Value> {
  readonly #max: number
  readonly #onEvicted: (value: Value, key: Key) => void

  constructor(max: number, onEvicted: (value: Value, key: Key) => void = () => {}) {
    super()
    this.#max = max
    this.#onEvicted = onEvicted
  }

  /** Makes the entry the newest, and evicts the oldest if there are too many. */
  override set(key: Key, value: Value): this {
    this.delete(key)
    super.set(key, value)
    for (const [oldKey, oldValue] of this) {
      if (this.size <= this.#max) break
      this.delete(oldKey)
      this.#onEvicted(oldValue, oldKey)
    }
    return this
  }
}
