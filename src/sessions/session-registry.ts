/**
 * The sessions in memory, by id, held by weak references. A session stays in memory while anything refers to it: a call, the
 * reader of a process, a wait. Only when it was collected can it be loaded again, so there are never two objects for one id.
 */
export class LiveSessions<T extends object> {
  readonly #known = new Map<string, Promise<T> | WeakRef<T>>()
  /** Work on sessions that are not in memory; they are loaded only after it. */
  readonly #locked = new Map<string, Promise<unknown>>()
  readonly #wake: (id: string) => Promise<T>
  readonly #collected = new FinalizationRegistry<string>((id) => {
    const known = this.#known.get(id)
    if (known instanceof WeakRef && known.deref() === undefined) this.#known.delete(id)
  })

  constructor(wake: (id: string) => Promise<T>) {
    this.#wake = wake
  }

  get(id: string): Promise<T> {
    const known = this.#known.get(id)
    if (known instanceof Promise) return known
    const awake = known?.deref()
    if (awake) return Promise.resolve(awake)
    const locked = this.#locked.get(id)
    const woken = locked ? locked.then(() => this.#wake(id)) : this.#wake(id)
    const waking = woken.then(
      (session) => {
        this.put(id, session)
        return session
      },
      (error: unknown) => {
        this.#known.delete(id)
        throw error
      },
    )
    this.#known.set(id, waking)
    return waking
  }

  /** Runs `work` if the session is not in memory, and keeps it from being loaded meanwhile; returns false if it is in memory. */
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

  /** For a session that no longer exists. An object of it may still be referred to, and cannot store anything. */
  forget(id: string): void {
    this.#known.delete(id)
  }

  /** Only for an id that no caller can have asked for yet. */
  put(id: string, session: T): void {
    this.#known.set(id, new WeakRef(session))
    this.#collected.register(session, id)
  }

  values(): T[] {
    return [...this.#known.values()].flatMap((known) =>
      known instanceof WeakRef ? (known.deref() ?? []) : [],
    )
  }

  /** All sessions in memory, and those that are being loaded. */
  async settled(): Promise<T[]> {
    const all = await Promise.allSettled(
      [...this.#known.values()].map(async (known) => (known instanceof WeakRef ? known.deref() : known)),
    )
    return all.flatMap((result) => (result.status === 'fulfilled' && result.value ? [result.value] : []))
  }

  get size(): number {
    return this.#known.size
  }
}
