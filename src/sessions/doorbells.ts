import { Doorbell } from '../doorbell.ts'

/** Wakes whoever waits for something new in a session, or in any. They look for themselves what it is. */
export class Doorbells {
  readonly #waiting = new Map<string, Set<Doorbell>>()

  /** To one session or to `ANY`. Listen first, read second, wait third; and stop listening in the end. */
  listen(sessionId: string): { doorbell: Doorbell; stop: () => void } {
    const doorbell = new Doorbell()
    const all = this.#waiting.get(sessionId) ?? new Set()
    this.#waiting.set(sessionId, all.add(doorbell))
    const stop = () => {
      all.delete(doorbell)
      if (all.size === 0 && this.#waiting.get(sessionId) === all) this.#waiting.delete(sessionId)
    }
    return { doorbell, stop }
  }

  ring(sessionId: string): void {
    for (const doorbell of this.#waiting.get(sessionId) ?? []) doorbell.ring()
    for (const doorbell of this.#waiting.get(ANY) ?? []) doorbell.ring()
  }
}

export const ANY = '*'
