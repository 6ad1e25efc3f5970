import { join } from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { followPages, type Page, readAs, readPage } from '../../../src/sessions/record/read-events.ts'
import { openMemoryStore } from '../../../src/store/memory/open.ts'
import { openSqliteStore } from '../../../src/store/sqlite/open.ts'
import { aSession, aStep, rangeOf } from '../../contracts/rows.ts'
import { temporaryFolder } from '../../rig/cli/real-cli.ts'
import { CountedDoorbells } from '../../rig/hubs/memory-writer.ts'
import { type StoreKind, stores } from '../../rig/hubs/sessions.ts'
import { deleteEventsBefore } from '../../rig/tools/delete-events.ts'

const seqsOf = ({ events }: Page) => events.map(({ seq }) => seq)
const upTo = (last: number) => Array.from({ length: last }, (_, at) => at + 1)

/** Only a store on disk removes a session in steps, so only there can a reader find a gap. */
async function openStore(kind: StoreKind) {
  const path = join(await temporaryFolder(), 'plexus.db')
  const store = kind === 'memory' ? await openMemoryStore() : await openSqliteStore(path)
  onTestFinished(() => store.close())
  await store.sessions.create(aSession())
  const deleteBefore = (id: string, seq: number) => {
    if (kind === 'sqlite') deleteEventsBefore(path, id, seq)
  }
  return { store, deleteBefore }
}

describe.each(stores)('reading on %s', (kind) => {
  test('a page begins after what was read, and reports what is no longer there', async () => {
    const { store, deleteBefore } = await openStore(kind)
    expect(await readPage(store, 's1', 0, 10)).toEqual({ events: [] })
    await store.journal.append(aStep(10))
    expect(seqsOf(await readPage(store, 's1', 4, 3))).toEqual([5, 6, 7])
    deleteBefore('s1', 6)
    expect(await readPage(store, 's1', 2, 2)).toMatchObject(
      kind === 'sqlite'
        ? { gap: { from: 3, to: 5 }, events: [{ seq: 6 }, { seq: 7 }] }
        : { events: [{ seq: 3 }, { seq: 4 }] },
    )
    expect((await readPage(store, 's1', 5, 2)).gap).toBeUndefined()
    expect(await readPage(store, 's1', 10, 2)).toEqual({ events: [] })
  })

  test('I7: whatever is appended, deleted and read, a named reader sees each seq once and in order, or a gap', async () => {
    const { store, deleteBefore } = await openStore(kind)
    const move = fc.oneof(
      fc.record({ append: fc.integer({ min: 1, max: 5 }) }),
      fc.record({ deleteTo: fc.nat({ max: 20 }) }),
      fc.record({ limit: fc.integer({ min: 1, max: 4 }), reader: fc.constantFrom('a', 'b') }),
    )
    let count = 0
    await fc.assert(
      fc.asyncProperty(fc.array(move, { maxLength: 25 }), async (moves) => {
        const id = `x${++count}`
        await store.sessions.create(aSession({ id }))
        const seen = new Map<string, number[]>([
          ['a', []],
          ['b', []],
        ])
        const read = async (reader: string, limit: number): Promise<boolean> => {
          const page = await readAs(store, id, { reader, limit })
          const missing = page.gap ? upTo(page.gap.to).slice(page.gap.from - 1) : []
          seen.get(reader)?.push(...missing, ...seqsOf(page))
          return page.events.length > 0 || page.gap !== undefined
        }
        for (const one of moves) {
          const { last } = await rangeOf(store, id)
          if ('append' in one) await store.journal.append(aStep(one.append, { sessionId: id }))
          else if ('deleteTo' in one) deleteBefore(id, Math.min(one.deleteTo, last)) // the last event stays
          else await read(one.reader, one.limit)
        }
        const { last } = await rangeOf(store, id)
        for (const reader of seen.keys()) {
          while (await read(reader, 3));
          expect(seen.get(reader)).toEqual(upTo(last))
        }
      }),
      { numRuns: 100 },
    )
  })

  test('I7: calls at once under one name never get the same event, and miss none', async () => {
    const { store } = await openStore(kind)
    let count = 0
    await fc.assert(
      fc.asyncProperty(fc.nat(30), fc.array(fc.integer({ min: 1, max: 5 })), async (events, limits) => {
        const id = `y${++count}`
        await store.sessions.create(aSession({ id }))
        await store.journal.append(aStep(events, { sessionId: id }))
        const pages = await Promise.all(limits.map((limit) => readAs(store, id, { reader: 'a', limit })))
        const seen = pages.map(seqsOf)
        const sum = limits.reduce((all, limit) => all + limit, 0)
        expect(seen.flat().toSorted((a, b) => a - b)).toEqual(upTo(Math.min(events, sum)))
        for (const page of seen) expect(page).toEqual(page.map((_, index) => (page[0] ?? 0) + index))
      }),
      { numRuns: 100 },
    )
  })

  test('I7 I11: a follower gets all that is there and all that comes, and stops listening when it is done', async () => {
    const { store, deleteBefore } = await openStore(kind)
    const doorbells = new CountedDoorbells()
    const over = new AbortController()
    await store.journal.append(aStep(450))
    deleteBefore('s1', 11)
    const got: number[] = []
    const gaps: unknown[] = []
    const following = (async () => {
      for await (const page of followPages(store, doorbells, 's1', { after: 0, signal: over.signal })) {
        if (page.gap) gaps.push(page.gap)
        expect(page.events.length).toBeGreaterThan(0)
        got.push(...seqsOf(page))
        if (got.at(-1) === 500) over.abort()
        // While it looks at a page the next comes: it must not be slept over.
        else if (got.at(-1) === 450) {
          await store.journal.append(aStep(50))
          doorbells.ring('s1')
        }
      }
    })()
    await following
    expect(gaps).toEqual(kind === 'sqlite' ? [{ from: 1, to: 10 }] : [])
    expect(got).toEqual(upTo(500).slice(kind === 'sqlite' ? 10 : 0))
    expect(doorbells.listeners).toBe(0)
  })

  test('a follower that has read everything waits for a ring and gives no empty page', async () => {
    const { store } = await openStore(kind)
    const doorbells = new CountedDoorbells()
    const over = new AbortController()
    await store.journal.append(aStep(1))
    const pages = followPages(store, doorbells, 's1', { after: 1, signal: over.signal })
    const next = pages.next()
    await store.events.read('s1', 1, 1)
    await store.journal.append(aStep(1))
    doorbells.ring('s1')
    expect(await next).toMatchObject({ value: { events: [{ seq: 2 }] } })
    over.abort()
    expect(await pages.next()).toEqual({ done: true, value: undefined })
  })

  test('a named reader that reads from a place continues after it, and never back', async () => {
    const { store } = await openStore(kind)
    await store.journal.append(aStep(9))
    const read = async (from?: number) => seqsOf(await readAs(store, 's1', { reader: 'a', from, limit: 2 }))
    expect(await read(4)).toEqual([5, 6])
    expect(await read()).toEqual([7, 8])
    expect(await read(0)).toEqual([1, 2])
    expect(await read()).toEqual([9])
  })
})
