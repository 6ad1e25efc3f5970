import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { followPages, readAs } from '../../../src/sessions/record/read-events.ts'
import { turn } from '../../rig/cli/scripted-lines.ts'
import { type Sessions, startSessions } from '../../rig/hubs/sessions.ts'
import { deleteEventsBefore } from '../../rig/tools/delete-events.ts'

const EVENTS = 50_000
const READERS = 50
const line = { type: 'assistant', message: { content: [{ type: 'text', text: 'some words of a line' }] } }
const manyEvents = () =>
  startSessions({ store: 'sqlite', scenario: { main: [] }, script: turn({ line, times: EVENTS }) })

test('R11: readers that do not read, or hardly, neither hold up the child nor cost memory', async () => {
  const alone = await grownBy(async () => {
    const all = await manyEvents()
    const { id } = await all.start('go')
    expect(await all.settled(id)).toMatchObject({ status: 'done', lastSeq: EVENTS + 5 })
  })

  const all = await manyEvents()
  const over = new AbortController()
  const read: number[] = []
  const followed = await grownBy(async () => {
    const { id } = await all.start('go')
    const pages = Array.from({ length: READERS }, () =>
      followPages(all.store, all.supervisor.doorbells, id, { after: 0, signal: over.signal }),
    )
    // A fifth never begins, two fifths stop after one page, the rest comes back once the child is done.
    const began = pages.slice(READERS / 5)
    for (const page of began) await page.next()
    expect(await all.settled(id)).toMatchObject({ status: 'done', lastSeq: EVENTS + 5 })
    for (const page of began.slice((READERS * 2) / 5)) {
      const { value } = await page.next()
      read.push(value?.events.length ?? 0)
    }
  })
  over.abort()
  expect(read.every((count) => count > 0)).toBe(true)
  // If readers had the events kept for them, it would be hundreds of megabytes.
  expect(followed - alone).toBeLessThan(20_000_000)
}, 60_000)

test('I7: a named reader sees each seq once and in order, across a crash, and what was deleted is reported', async () => {
  const script = turn({ line, times: 300 })
  const all = await startSessions({ store: 'sqlite', scenario: { main: [] }, script })
  const { id } = await all.start('go')
  const { lastSeq } = await all.settled(id)
  const first = await readAll(all, id, 2)
  await all.crash()
  await all.open()
  const second = await readAll(all, id, 1)
  deleteEventsBefore(join(all.folder, 'home/plexus.db'), id, 250)
  const third = await readAll(all, id, Infinity)
  expect([...first, ...second, ...third]).toEqual([
    ...Array.from({ length: 120 }, (_, at) => at + 1),
    { from: 121, to: 249 },
    ...Array.from({ length: lastSeq - 249 }, (_, at) => at + 250),
  ])
})

async function readAll(all: Sessions, id: string, pages: number): Promise<unknown[]> {
  const seen: unknown[] = []
  for (let page = 0; page < pages; page++) {
    const { events, gap } = await readAs(all.store, id, { reader: 'r', limit: 40 })
    if (gap) seen.push(gap)
    if (events.length === 0) break
    seen.push(...events.map(({ seq }) => seq))
  }
  return seen
}

/** How much more is in use after the work, rubbish not counted. */
async function grownBy(work: () => Promise<void>): Promise<number> {
  const before = heap()
  await work()
  return heap() - before
}

function heap(): number {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
  return process.memoryUsage().heapUsed
}
