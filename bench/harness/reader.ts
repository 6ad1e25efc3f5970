import type { EventOf, SessionEvent } from '../../src/events/session-event.ts'
import type { Page } from '../../src/sessions/record/read-events.ts'
import { type Hub, operator } from './talking-hub.ts'

/**
 * Follows a session until the hub is gone, and always waits, also while nobody asks it: what comes is not held up by the one
 * who measures.
 */
export class Reader {
  readonly #pages: AsyncIterator<Page>
  #next: Promise<IteratorResult<Page>>
  #unread: SessionEvent[] = []

  constructor({ engine, over }: Pick<Hub, 'engine' | 'over'>, sessionId: string) {
    const pages = engine.followEvents({ ...operator, signal: over }, { sessionId, after: 0 })
    this.#pages = pages[Symbol.asyncIterator]()
    this.#next = this.#pages.next()
  }

  /** The next event of this type; those before it are passed over. */
  async event<T extends SessionEvent['type']>(type: T): Promise<EventOf<T>> {
    for (;;) {
      const event = this.#unread.shift()
      if (isOfType(event, type)) return event
      if (event === undefined) await this.#read()
    }
  }

  async #read(): Promise<void> {
    const { value, done } = await this.#next
    if (done) throw new Error('The session is not followed any more.')
    this.#next = this.#pages.next()
    this.#unread = value.events.map(({ event }) => event)
  }
}

function isOfType<T extends SessionEvent['type']>(
  event: SessionEvent | undefined,
  type: T,
): event is EventOf<T> {
  return event?.type === type
}
