import { AppError } from '../../base/errors.ts'
import type { StoredEvent } from '../../events/event-log.ts'
import type { Store } from './store.ts'
import type { Session, Turn } from './session.ts'

/** A range of one turn's events, counted from the beginning of the turn. */
export interface TurnPage {
  /** Read together with the page: `position`, `total` and `more` cover its events up to `lastSeq`. */
  readonly session: Session
  /** Number 0 holds the events before the first turn, or of a session without turns: it may have no process of ours. */
  readonly turn: Turn
  readonly events: readonly StoredEvent[]
  /** Where the next page begins, and how many events the turn has so far; both count from its first event. */
  readonly position: number
  readonly total: number
  /** There are more events after these, in this turn or in a later turn. */
  readonly more: boolean
  /** Events before these that were cleaned away. */
  readonly gap?: { readonly from: number; readonly to: number }
}

export interface ReadTurnOptions {
  /** Continues at the position of this reader, and moves it past the page. */
  readonly reader?: string | undefined
  /** Reads this turn; the last turn if only `from` is given. */
  readonly turn?: number | undefined
  /** Begins with this event of the turn, whatever the position of the reader. */
  readonly from?: number | undefined
  readonly limit: number
  /** A reader that has seen the end of a turn continues with the next turn, and skips events between them. */
  readonly skipTails?: boolean | undefined
}

/**
 * A page never goes beyond its turn: a reader in an earlier turn finishes that turn first. Of two concurrent calls with the
 * same name, the second gets what follows the page of the first.
 */
export async function readTurn(store: Store, session: Session, options: ReadTurnOptions): Promise<TurnPage> {
  for (;;) {
    const place = await placeOf(store, session, options)
    const page = await pageAt(store, session, place, options.limit)
    if (await isTaken(store, place, options, page)) return page
  }
}

interface Place {
  readonly after: number
  readonly number: number
  /** The position of the reader, if the page begins there. */
  readonly cursor?: number
}

async function placeOf(
  store: Store,
  session: Session,
  { reader, turn, from, skipTails = false }: ReadTurnOptions,
): Promise<Place> {
  if (turn !== undefined || from !== undefined || reader === undefined) {
    const number = turn ?? session.turn
    const { firstSeq } = await turnOf(store, session, number)
    return { after: firstSeq - 1 + (from ?? 0), number }
  }
  const cursor = await store.readers.get(session.id, reader)
  const [next] = cursor < session.lastSeq ? await store.events.read(session.id, cursor, 1) : []
  if (!next || next.turn >= session.turn) return { after: cursor, number: session.turn, cursor }
  const over = next.turn === 0 || (skipTails && (await hasEnded(store, session, next)))
  if (!over) return { after: cursor, number: next.turn, cursor }
  const { number, firstSeq } = await turnOf(store, session, next.turn + 1)
  return { after: firstSeq - 1, number, cursor }
}

async function pageAt(
  store: Store,
  session: Session,
  { after, number }: Place,
  limit: number,
): Promise<TurnPage> {
  const turn = await turnOf(store, session, number)
  const next = number < session.turn ? await turnOf(store, session, number + 1) : undefined
  const end = next ? next.firstSeq - 1 : session.lastSeq
  const begin = Math.min(after, end)
  const wanted = Math.min(limit, end - begin)
  const read = wanted > 0 ? await store.events.read(session.id, begin, wanted) : []
  const events = read.filter(({ seq }) => seq <= end) // all of the turn may have been cleaned away
  const last = events.at(-1)?.seq ?? begin
  const first = events[0]?.seq ?? begin + 1
  return {
    session,
    turn,
    events,
    position: last - turn.firstSeq + 1,
    total: end - turn.firstSeq + 1,
    more: last < end || next !== undefined,
    ...(first > begin + 1 ? { gap: { from: begin + 1, to: first - 1 } } : {}),
  }
}

/** Moves the reader past the page; false if another call has moved it meanwhile. */
async function isTaken(
  store: Store,
  { cursor }: Place,
  { reader }: ReadTurnOptions,
  { session: { id }, events }: TurnPage,
): Promise<boolean> {
  const to = events.at(-1)?.seq
  if (reader === undefined || to === undefined) return true
  if (cursor !== undefined) return store.readers.move(id, reader, { from: cursor, to })
  await store.readers.advance(id, reader, to)
  return true
}

async function hasEnded(store: Store, session: Session, { turn, seq }: StoredEvent): Promise<boolean> {
  const { lastSeq } = await turnOf(store, session, turn)
  return lastSeq !== undefined && seq > lastSeq
}

async function turnOf(store: Store, { id, turn: last }: Session, number: number): Promise<Turn> {
  if (number === 0 && last === 0) return { sessionId: id, number, firstSeq: 1 }
  const turn = await store.turns.get(id, number)
  if (turn) return turn
  throw new AppError('not_found', `There is no turn ${number} in this session; its last turn is ${last}.`)
}
