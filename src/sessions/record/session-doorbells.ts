import { Doorbell } from '../../base/doorbell.ts'

/** Wakes whoever waits for something new in a session, or in any. They look for themselves what it is. */
export class Doorbells {
  readonly #waiting = new Map<string, Set<Doorbell>>()

  /** To some sessions or to `ANY`. Listen first, read second, wait third; and stop listening in the end. */
  listen(...sessionIds: readonly string[]): { doorbell: Doorbell; stop: () => void } {
    const doorbell = new Doorbell()
    for (const id of sessionIds) this.#waiting.set(id, (this.#waiting.get(id) ?? new Set()).add(doorbell))
    const stop = () => {
      for (const id of sessionIds) {
        const all = this.#waiting.get(id)
        all?.delete(doorbell)
        if (all?.size === 0) this.#waiting.delete(id)
      }
    }
    return { doorbell, stop }
  }

  ring(sessionId: string): void {
    for (const doorbell of this.#waiting.get(sessionId) ?? []) doorbell.ring()
    for (const doorbell of this.#waiting.get(ANY) ?? []) doorbell.ring()
  }
}

export const ANY = '*'
