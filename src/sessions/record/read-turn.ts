import { AppError } from '../../base/errors.ts'
import type { StoredEvent } from '../../events/event-log.ts'
import type { Store } from './store.ts'
import type { Session, Turn } from './session.ts'

/** A stretch of one turn's events, for who counts them from the beginning of the turn. */
export interface TurnPage {
  /** As it stands: all of its events up to `lastSeq` are told of here. */
  readonly session: Session
  /** Number 0 is what happened before any turn, or without one: a session may have no process of ours. */
  readonly turn: Turn
  readonly events: readonly StoredEvent[]
  /** Where to go on, and how many events the turn has so far; both count from its first event. */
  readonly position: number
  readonly total: number
  /** There are more behind these, in this turn or in a later one. */
  readonly more: boolean
  /** Some in front of these were cleaned away. */
  readonly gap?: { readonly from: number; readonly to: number }
}

export interface ReadTurnOptions {
  /** Goes on where this reader was, and moves on with it. */
  readonly reader?: string | undefined
  /** Of this turn; of the last one if only `from` is given. */
  readonly turn?: number | undefined
  /** From this event of the turn on, wherever the reader is. */
  readonly from?: number | undefined
  readonly limit: number
  /** Who has seen a turn end goes on with the next one, without what came after the end. */
  readonly skipTails?: boolean | undefined
}

/**
 * A page never goes beyond its turn: a reader that is behind finishes its turn first. Of two calls at once under one name
 * the one that comes second gets what is behind the first.
 */
export async function readTurn(store: Store, session: Session, wish: ReadTurnOptions): Promise<TurnPage> {
  for (;;) {
    const place = await placeOf(store, session, wish)
    const page = await pageAt(store, session, place, wish.limit)
    if (await isTaken(store, place, wish, page)) return page
  }
}

interface Place {
  readonly after: number
  readonly number: number
  /** Where the reader was, if that was asked. */
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
  if (!next || next.turn >= session.turn)
    return { after: cursor, number: Math.min(next?.turn ?? session.turn, session.turn), cursor }
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

/** Moves the reader behind the page, unless somebody else has moved it meanwhile. */
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
  throw new AppError('not_found', `There is no turn ${number} in this session; its last one is ${last}.`)
}
