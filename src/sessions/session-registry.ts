/**
 * What is awake, by id. Each is kept by whoever has something to do with it: a caller, a process that is followed, somebody
 * who waits. When nobody has, it is gone, and only then can there be another: so there are never two, and none stays for ever.
 */
export class LiveSessions<T extends object> {
  readonly #known = new Map<string, Promise<T> | WeakRef<T>>()
  /** What is done with those that sleep: until it is done they do not wake. */
  readonly #locked = new Map<string, Promise<unknown>>()
  readonly #wake: (id: string) => Promise<T>
  readonly #gone = new FinalizationRegistry<string>((id) => {
    const known = this.#known.get(id)
    if (known instanceof WeakRef && known.deref() === undefined) this.#known.delete(id)
  })

  constructor(wake: (id: string) => Promise<T>) {
    this.#wake = wake
  }

  /** The one of this id, whoever asks. */
  get(id: string): Promise<T> {
    const known = this.#known.get(id)
    if (known instanceof Promise) return known
    const awake = known?.deref()
    if (awake) return Promise.resolve(awake)
    const locked = this.#locked.get(id)
    const woken = locked ? locked.then(() => this.#wake(id)) : this.#wake(id)
    const waking = woken.then(
      (one) => {
        this.put(id, one)
        return one
      },
      (error: unknown) => {
        this.#known.delete(id)
        throw error
      },
    )
    this.#known.set(id, waking)
    return waking
  }

  /** Does something with one that is not awake, and lets nobody wake it meanwhile; false if it is awake. */
  async whileAsleep(id: string, work: () => Promise<void>): Promise<boolean> {
    const known = this.#known.get(id)
    if (known instanceof Promise || known?.deref() || this.#locked.has(id)) return false
    const done = work()
    this.#locked.set(
      id,
      done.catch(() => {}),
    )
    await done.finally(() => this.#locked.delete(id))
    return true
  }

  /** One that nobody can have asked for yet. */
  put(id: string, one: T): void {
    this.#known.set(id, new WeakRef(one))
    this.#gone.register(one, id)
  }

  /** All that are. */
  values(): T[] {
    return [...this.#known.values()].flatMap((known) =>
      known instanceof WeakRef ? (known.deref() ?? []) : [],
    )
  }

  /** All that are, with those that are about to be. */
  async settled(): Promise<T[]> {
    const all = await Promise.allSettled(
      [...this.#known.values()].map(async (known) => (known instanceof WeakRef ? known.deref() : known)),
    )
    return all.flatMap((one) => (one.status === 'fulfilled' && one.value ? [one.value] : []))
  }

  get size(): number {
    return this.#known.size
  }
}
