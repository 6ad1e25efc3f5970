import { expect, onTestFinished, test } from 'vitest'
import { followAll } from '../../src/engine/follow-all.ts'
import type { Caller } from '../../src/callers/access-rules.ts'
import type { QuestionInWords } from '../../src/engine/questions/question-words.ts'
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
    followAll({ store, doorbells, openedIn: async () => [] }, CALLERS.operator, {
      after,
      signal: over.signal,
    })[Symbol.asyncIterator]()
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

const opened = (approvalId: string) => ({
  turn: 1,
  event: { type: 'approval.opened', approvalId, kind: 'tool', requestId: 'r', toolName: 'Bash', input: {} },
})
const open = [{ id: 'a' }, { id: 'of an earlier step' }] as unknown as QuestionInWords[]
const openedIn = async (_: string, ids: ReadonlySet<string>) => open.filter(({ id }) => ids.has(id))

test('with a step a person gets the questions that it opens and that are open still; nobody else does', async () => {
  const store = await openMemoryStore()
  await store.sessions.create(aSession({ id: 's1' }))
  const events = [opened('a'), opened('gone')] as unknown as ReturnType<typeof aStep>['events']
  await store.journal.append(aStep(0, { events }))
  const parts = { store, doorbells: new Doorbells(), openedIn }
  const asked = async (caller: Caller, questions?: boolean) => {
    const over = new AbortController()
    onTestFinished(() => over.abort())
    const page = await followAll(parts, caller, { after: 0, questions, signal: over.signal }).next()
    return page.value?.steps[0]?.asked
  }
  expect(await asked(CALLERS.operator, true)).toEqual([{ id: 'a' }])
  expect(await asked(CALLERS.operator)).toBeUndefined()
  expect(await asked({ ...CALLERS.operator, person: false }, true)).toBeUndefined()
})
