import type { SessionKey } from '../../base/ids.ts'
import { RecentMap } from '../../base/recent-map.ts'
import type { Caller } from '../../callers/access-rules.ts'
import type { Engine } from '../../engine/engine.ts'
import type { OpenForms, Put } from './open-forms.ts'
import { seenByPerson } from './seen-by-person.ts'
import type { FormPlace } from './form-place.ts'

interface FollowerParts {
  readonly engine: Engine
  /** The caller of the connection. */
  readonly caller: Caller
  readonly forms: OpenForms
  /** Puts a form when no call is open. */
  readonly put: Put
  /** The stream that carries such a form; when it ends, the form is lost. */
  readonly stream: () => AbortSignal | undefined
}

interface Offer {
  readonly place: FormPlace
  readonly signal: AbortSignal
}

/**
 * Puts new questions to the person of a connection while no call is open, but only questions of sessions that its calls
 * have used: a person is not asked about sessions that another of their programs has started.
 */
export class QuestionFollower {
  readonly #parts: FollowerParts
  readonly #followed = new RecentMap<string, AbortController>(MAX_FOLLOWED, (end) => end.abort())
  #closed = false

  constructor(parts: FollowerParts) {
    this.#parts = parts
  }

  /** Follows until the connection closes, or until many other sessions have been followed since. */
  follow(sessionId: SessionKey, after: number, place: FormPlace): void {
    if (this.#closed || this.#followed.has(sessionId)) return
    const end = new AbortController()
    this.#followed.set(sessionId, end)
    void this.#listen(sessionId, after, { place, signal: end.signal })
      .catch(() => {}) // the hub or the session is gone: a later call follows again
      .finally(() => {
        if (this.#followed.get(sessionId) === end) this.#followed.delete(sessionId)
      })
  }

  close(): void {
    this.#closed = true
    for (const end of this.#followed.values()) end.abort()
  }

  async #listen(sessionId: SessionKey, after: number, { place, signal }: Offer): Promise<void> {
    const { engine, caller } = this.#parts
    await this.#offer(sessionId, { place, signal }) // questions that were asked before
    for await (const { events } of engine.followEvents({ caller, signal }, { sessionId, after }))
      if (events.some(({ event }) => event.type === 'approval.opened'))
        await this.#offer(sessionId, { place, signal })
  }

  /** One form after the other; a question that the person has seen is not put again. */
  async #offer(sessionId: SessionKey, { place, signal }: Offer): Promise<void> {
    const { engine, caller, forms, put } = this.#parts
    for (;;) {
      const stream = this.#parts.stream()
      if (!stream) return
      const open = await seenByPerson(engine, place, await engine.pending({ caller }, { sessionId }))
      const asked = open.find(({ id }) => !forms.wasPut(id))
      if (!asked || signal.aborted || !(await place.takes(engine, asked))) return
      await forms.put(place, asked, put, AbortSignal.any([signal, stream]))
    }
  }
}

const MAX_FOLLOWED = 32
