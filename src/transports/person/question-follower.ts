import { RecentMap } from '../../base/recent-map.ts'
import type { Caller } from '../../callers/access-rules.ts'
import type { Engine } from '../../engine/engine.ts'
import type { OpenForms, Put } from './open-forms.ts'
import type { FormPlace } from './form-place.ts'

interface FollowerParts {
  readonly engine: Engine
  /** Who reads: the caller of the connection. */
  readonly caller: Caller
  readonly forms: OpenForms
  /** Puts a form when no call is open. */
  readonly put: Put
  /** What such a form goes by; when that ends, the form is lost. */
  readonly stream: () => AbortSignal | undefined
}

interface Offer {
  readonly place: FormPlace
  readonly signal: AbortSignal
}

/**
 * Puts new questions to a connection's person while no call is open. Of the sessions that its calls have had to do with: a
 * person is not asked about what another program of theirs has started, unless their own asks for it.
 */
export class QuestionFollower {
  readonly #parts: FollowerParts
  readonly #followed = new RecentMap<string, AbortController>(MOST, (end) => end.abort())
  #closed = false

  constructor(parts: FollowerParts) {
    this.#parts = parts
  }

  /** From here on, for as long as the connection lasts, or until many others have been followed since. */
  follow(sessionId: string, after: number, place: FormPlace): void {
    if (this.#closed || this.#followed.has(sessionId)) return
    const end = new AbortController()
    this.#followed.set(sessionId, end)
    void this.#listen(sessionId, after, { place, signal: end.signal })
      .catch(() => {}) // the hub has gone for good, or the session: a later call begins anew
      .finally(() => {
        if (this.#followed.get(sessionId) === end) this.#followed.delete(sessionId)
      })
  }

  close(): void {
    this.#closed = true
    for (const end of this.#followed.values()) end.abort()
  }

  async #listen(sessionId: string, after: number, { place, signal }: Offer): Promise<void> {
    const { engine, caller } = this.#parts
    await this.#offer(sessionId, { place, signal }) // what was asked before anybody looked
    for await (const { events } of engine.followEvents({ caller, signal }, { sessionId, after }))
      if (events.some(({ event }) => event.type === 'approval.opened'))
        await this.#offer(sessionId, { place, signal })
  }

  /** One after the other; one that the person has seen is theirs to come back to. */
  async #offer(sessionId: string, { place, signal }: Offer): Promise<void> {
    const { engine, caller, forms, put } = this.#parts
    for (;;) {
      const stream = this.#parts.stream()
      if (!stream) return
      const open = await engine.pending({ caller }, { sessionId })
      const asked = open.find(({ id }) => !forms.wasPut(id))
      if (!asked || signal.aborted || !(await place.takes(engine, asked))) return
      await forms.put(place, asked, put, AbortSignal.any([signal, stream]))
    }
  }
}

const MOST = 32
