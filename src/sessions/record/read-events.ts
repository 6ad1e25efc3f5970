import type { SessionKey } from '../../base/ids.ts'
import type { StoredEvent } from '../../events/event-log.ts'
import type { Store } from './store.ts'
import type { Doorbells } from './session-doorbells.ts'

/** A range of a session's log. Each seq comes once and in order, or is reported as missing. */
export interface Page {
  readonly events: readonly StoredEvent[]
  /** Seqs that were cleaned away before this page; never skipped in silence. */
  readonly gap?: { readonly from: number; readonly to: number }
}

export async function readPage(
  store: Store,
  sessionId: SessionKey,
  after: number,
  limit: number,
): Promise<Page> {
  const events = await store.events.read(sessionId, after, limit)
  // The last event is never cleaned away: if there is none after `after`, none is missing.
  const first = events[0]?.seq ?? 0
  return first > after + 1 ? { events, gap: { from: after + 1, to: first - 1 } } : { events }
}

/** All pages after `after`, also future pages, until aborted. Listens before it reads, so no event is missed. */
export async function* followPages(
  store: Store,
  doorbells: Doorbells,
  sessionId: SessionKey,
  { after, signal }: { after: number; signal: AbortSignal },
): AsyncGenerator<Page, void> {
  const { doorbell, stop } = doorbells.listen(sessionId)
  try {
    for (let last = after; !signal.aborted;) {
      const page = await readPage(store, sessionId, last, PAGE)
      last = page.events.at(-1)?.seq ?? page.gap?.to ?? last
      if (page.events.length > 0 || page.gap) yield page
      else await doorbell.next(POLL_MS, signal).catch(() => {})
    }
  } finally {
    stop()
  }
}

/**
 * The next page of a named reader, from its position or from `from`; the reader then moves past the page. Of two concurrent
 * calls with the same name, the second gets what follows the page of the first.
 */
export async function readAs(
  store: Store,
  sessionId: SessionKey,
  { reader, from, limit }: { reader: string; from?: number | undefined; limit: number },
): Promise<Page> {
  for (;;) {
    const after = from ?? (await store.readers.get(sessionId, reader))
    const page = await readPage(store, sessionId, after, limit)
    const to = page.events.at(-1)?.seq
    if (to === undefined) return page
    if (from === undefined && !(await store.readers.move(sessionId, reader, { from: after, to }))) continue
    if (from !== undefined) await store.readers.advance(sessionId, reader, to)
    return page
  }
}

const PAGE = 200
const POLL_MS = 5_000
