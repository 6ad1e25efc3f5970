import type { SessionKey } from '../../base/ids.ts'
import { Doorbell } from '../../base/doorbell.ts'

/** Wakes the waits for a change in a session, or in any session. Each then reads by itself what has changed. */
export class Doorbells {
  readonly #waiting = new Map<string, Set<Doorbell>>()

  /** Listens to some sessions or to `ANY`. Listen first, read second, wait third; and call `stop` in the end. */
  listen(...sessionIds: readonly SessionKey[]): { doorbell: Doorbell; stop: () => void } {
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

  ring(sessionId: SessionKey): void {
    for (const doorbell of this.#waiting.get(sessionId) ?? []) doorbell.ring()
    for (const doorbell of this.#waiting.get(ANY) ?? []) doorbell.ring()
  }
}

export const ANY = '*'
