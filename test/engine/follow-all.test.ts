import { expect, onTestFinished, test } from 'vitest'
import { followAll } from '../../src/engine/follow-all.ts'
import type { FeedPage } from '../../src/events/event-feed.ts'
import { Doorbells } from '../../src/sessions/record/session-doorbells.ts'
import { openMemoryStore } from '../../src/store/memory/open.ts'
import { aSession, aStep } from '../contracts/rows.ts'
import { CALLERS } from '../rig/clients/family.ts'

async function aFeed(after?: number) {
  const store = await openMemoryStore()
  const doorbells = new Doorbells()
  for (const id of ['s1', 's2']) await store.sessions.create(aSession({ id }))
  const over = new AbortController()
  onTestFinished(() => over.abort())
  const step = async (sessionId: string) => {
    await store.journal.append(aStep(1, { sessionId }))
    doorbells.ring(sessionId)
  }
  const follow = () =>
    followAll({ store, doorbells }, CALLERS.operator, { after, signal: over.signal })[Symbol.asyncIterator]()
  return { step, follow, over }
}

const next = async (pages: AsyncIterator<FeedPage, void>) => (await pages.next()).value ?? undefined

test('a reader that begins now learns its position at once, and then every step', async () => {
  const { step, follow } = await aFeed()
  await step('s1')
  const pages = follow()
  expect(await next(pages)).toEqual({ steps: [], position: 1 })
  const waiting = next(pages)
  await step('s2')
  expect(await waiting).toMatchObject({ steps: [{ sessionId: 's2', position: 2 }], position: 2 })
})

test('a reader that comes back gets what it has missed', async () => {
  const { step, follow } = await aFeed(1)
  for (const id of ['s1', 's2', 's1']) await step(id)
  expect(await next(follow())).toMatchObject({
    steps: [{ sessionId: 's2' }, { sessionId: 's1' }],
    position: 3,
  })
})

test('a reader of another database learns that steps are missing', async () => {
  const { follow } = await aFeed(50)
  expect(await next(follow())).toEqual({ steps: [], position: 0, missed: true })
})

test('it ends when it is aborted', async () => {
  const { follow, over } = await aFeed()
  const pages = follow()
  await next(pages)
  const waiting = pages.next()
  over.abort()
  expect((await waiting).done).toBe(true)
})
