import { join } from 'node:path'
import * as fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import type { SessionEvent } from '../../../src/events/session-event.ts'
import { readTurn, type TurnPage } from '../../../src/sessions/record/read-turn.ts'
import type { Session } from '../../../src/sessions/record/session.ts'
import { openMemoryStore } from '../../../src/store/memory/open.ts'
import { openSqliteStore } from '../../../src/store/sqlite/open.ts'
import type { Store } from '../../../src/sessions/record/store.ts'
import { refusalOf } from '../../contracts/refusal.ts'
import { aSession } from '../../contracts/rows.ts'
import { temporaryFolder } from '../../rig/cli/real-cli.ts'
import { deleteEventsBefore } from '../../rig/tools/delete-events.ts'
import { asSessionId } from '../../rig/tools/ids.ts'

const SAID: SessionEvent = { type: 'text.streamed', text: 'a word' }

/** A turn: so many events until its end, and so many behind it before the next one begins. */
interface Shape {
  readonly events: number
  readonly tail: number
}

/** A session with a process that began before its first turn, as most have. */
async function withTurns(
  shapes: readonly Shape[],
  store?: Store,
): Promise<{ store: Store; add: (shape: Shape) => Promise<void> }> {
  store ??= await openMemoryStore()
  await store.sessions.create(aSession())
  await store.journal.append({ sessionId: asSessionId('s1'), at: 1, events: [{ turn: 0, event: SAID }] })
  let [number, lastSeq] = [0, 1]
  const add = async ({ events, tail }: Shape) => {
    const turn = {
      sessionId: asSessionId('s1'),
      number: ++number,
      firstSeq: lastSeq + 1,
      lastSeq: lastSeq + events,
    }
    lastSeq += events + tail
    const placed = Array.from({ length: events + tail }, () => ({ turn: turn.number, event: SAID }))
    const session = aSession({ turn: turn.number, status: 'done' })
    await store.journal.append({
      sessionId: asSessionId('s1'),
      at: 1,
      events: placed,
      turns: [turn],
      session,
    })
  }
  for (const shape of shapes) await add(shape)
  return { store, add }
}

async function sessionIn(store: Store): Promise<Session> {
  const session = await store.sessions.get('s1')
  if (!session) throw new Error('There is no session.')
  return session
}

const read = async (store: Store, wish: Partial<Parameters<typeof readTurn>[2]>): Promise<TurnPage> =>
  readTurn(store, await sessionIn(store), { limit: 100, ...wish })

const shape = fc.record({ events: fc.integer({ min: 1, max: 6 }), tail: fc.integer({ min: 0, max: 3 }) })
const step = fc.oneof(
  shape,
  fc.record({ reader: fc.constantFrom('a', 'b'), limit: fc.integer({ min: 0, max: 5 }) }),
)

test('every reader reads every event of every turn once and in order, page by page, each page of one turn', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
      const { store, add } = await withTurns([{ events: 2, tail: 1 }])
      const seen: Record<string, number[]> = { a: [], b: [] }
      const take = async (reader: string, limit: number): Promise<boolean> => {
        const { events, turn, position, total, more } = await read(store, { reader, limit })
        expect(events.every((event) => event.turn === turn.number)).toBe(true)
        const last = events.at(-1)
        expect(last === undefined || position === last.seq - turn.firstSeq + 1).toBe(true)
        expect(position).toBeLessThanOrEqual(total)
        expect(more || position === total).toBe(true)
        seen[reader]?.push(...events.map(({ seq }) => seq))
        return more
      }
      for (const one of steps) {
        if ('events' in one) await add(one)
        else await take(one.reader, one.limit)
      }
      const { lastSeq } = await sessionIn(store)
      const all = Array.from({ length: lastSeq - 1 }, (_, at) => at + 2) // what was before the first turn is not told
      for (const reader of ['a', 'b']) {
        while (await take(reader, 4));
        expect(seen[reader]).toEqual(all)
      }
    }),
  )
})

test('a reader that skips tails continues with the next turn once it has seen the end of the one before, not sooner', async () => {
  const { store, add } = await withTurns([{ events: 3, tail: 2 }])
  const next = (limit = 100) => read(store, { reader: 'a', limit, skipTails: true })
  expect((await next(2)).events.map(({ seq }) => seq)).toEqual([2, 3])
  await add({ events: 2, tail: 0 })
  expect(await next(1)).toMatchObject({ turn: { number: 1 }, events: [{ seq: 4 }], more: true })
  expect(await next()).toMatchObject({ turn: { number: 2 }, events: [{ seq: 7 }, { seq: 8 }], more: false })
  expect((await read(store, { reader: 'b', turn: 1 })).events).toHaveLength(5)
})

test('each event goes to one of those who read under one name at once', async () => {
  const { store } = await withTurns([{ events: 20, tail: 0 }])
  const pages = await Promise.all(Array.from({ length: 10 }, () => read(store, { reader: 'a', limit: 2 })))
  const seqs = pages.flatMap(({ events }) => events.map(({ seq }) => seq))
  expect(seqs.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, at) => at + 2))
})

test('a turn is read again from any place, and a place past its end is its end', async () => {
  const { store } = await withTurns([
    { events: 3, tail: 0 },
    { events: 2, tail: 0 },
  ])
  expect(await read(store, { from: 1 })).toMatchObject({
    turn: { number: 2 },
    position: 2,
    events: [{ seq: 6 }],
  })
  expect(await read(store, { turn: 1, from: 2 })).toMatchObject({ position: 3, total: 3, more: true })
  expect(await read(store, { from: 1_000 })).toMatchObject({ position: 2, total: 2, events: [], more: false })
  expect(await refusalOf(read(store, { turn: 7 }))).toMatchObject({ code: 'not_found' })
})

test('what was deleted is reported as a gap', async () => {
  const path = join(await temporaryFolder(), 'plexus.db')
  const shapes = [
    { events: 5, tail: 0 },
    { events: 1, tail: 0 },
  ]
  const { store } = await withTurns(shapes, await openSqliteStore(path))
  onTestFinished(() => store.close())
  deleteEventsBefore(path, 's1', 4)
  expect(await read(store, { turn: 1 })).toMatchObject({
    gap: { from: 2, to: 3 },
    events: [{ seq: 4 }, { seq: 5 }, { seq: 6 }],
  })
  deleteEventsBefore(path, 's1', 7)
  expect(await read(store, { turn: 1 })).toMatchObject({ events: [], total: 5 })
})

const refuse = () => Promise.reject(new Error('moved'))

test('without a name or a place the last turn is read, and no reader is moved', async () => {
  const { store } = await withTurns([
    { events: 2, tail: 0 },
    { events: 3, tail: 0 },
  ])
  const still = { ...store, readers: { ...store.readers, move: refuse, advance: refuse } }
  const page = await readTurn(still, await sessionIn(store), { limit: 100 })
  expect(page).toMatchObject({ turn: { number: 2 }, events: [{ seq: 4 }, { seq: 5 }, { seq: 6 }] })
  expect(page).not.toHaveProperty('gap')
})

test('a place wins over the position of the reader, which is then behind the page', async () => {
  const { store } = await withTurns([
    { events: 2, tail: 0 },
    { events: 3, tail: 0 },
  ])
  const next = (wish: object) => read(store, { reader: 'a', ...wish })
  expect(await next({ from: 1, limit: 1 })).toMatchObject({ turn: { number: 2 }, events: [{ seq: 5 }] })
  expect(await next({ turn: 1 })).toMatchObject({ turn: { number: 1 }, events: [{ seq: 2 }, { seq: 3 }] })
  expect(await next({})).toMatchObject({ turn: { number: 2 }, events: [{ seq: 6 }] })
})

test('who skips tails still gets the tail of the last turn, behind which there is no other', async () => {
  const { store } = await withTurns([{ events: 2, tail: 1 }])
  const next = () => read(store, { reader: 'a', limit: 2, skipTails: true })
  expect((await next()).events.map(({ seq }) => seq)).toEqual([2, 3])
  expect(await next()).toMatchObject({ turn: { number: 1 }, events: [{ seq: 4 }], more: false })
})

test('a session without turns has its events in the turn 0, and no other', async () => {
  const { store, add } = await withTurns([])
  const page = { turn: { number: 0, firstSeq: 1 }, events: [{ seq: 1 }], position: 1, total: 1, more: false }
  expect(await read(store, {})).toMatchObject(page)
  expect(await refusalOf(read(store, { turn: 1 }))).toMatchObject({ code: 'not_found' })
  await add({ events: 1, tail: 0 })
  expect(await refusalOf(read(store, { turn: 0 }))).toMatchObject({ code: 'not_found' })
})
