import { afterEach, expect, test, vi } from 'vitest'
import { nodeIdOf } from '../../../src/base/ids.ts'
import type { SessionEvent } from '../../../src/events/session-event.ts'
import { Doorbells } from '../../../src/sessions/record/session-doorbells.ts'
import { SessionWriter, type WriterDeps } from '../../../src/sessions/writing/session-writer.ts'
import { openMemoryStore } from '../../../src/store/memory/open.ts'
import { aSession, RUN } from '../../contracts/rows.ts'
import { accepted, opened, turnEnded } from '../../rig/cli/event-stories.ts'

afterEach(() => void vi.useRealTimers())

const began: SessionEvent = { type: 'turn.started', cliSessionId: 's' }

async function books(more: Partial<WriterDeps> = {}) {
  const store = await openMemoryStore()
  const deps: WriterDeps = { store, doorbells: new Doorbells(), now: () => 5, ...more }
  /** As the next hub does, from what is stored. */
  const reopened = async () => SessionWriter.open(deps, (await store.sessions.get('s1')) ?? aSession())
  return { store, deps, reopened }
}

test('a new session is stored with its first step, and announced once', async () => {
  const created: string[] = []
  const { store, deps } = await books({ onCreated: ({ id }) => created.push(id) })
  const writer = SessionWriter.ofNew(deps, aSession())
  expect(await store.sessions.get('s1')).toBeUndefined()
  await writer.append([accepted('p')])
  await writer.append([began])
  expect(await store.sessions.get('s1')).toMatchObject({ status: 'running', turn: 1, lastSeq: 2 })
  expect(created).toEqual(['s1'])
})

test('a session that is opened again continues its turn under its title, and its run', async () => {
  const { store, deps, reopened } = await books()
  const started: SessionEvent = { type: 'run.started', runId: RUN.id }
  await SessionWriter.ofNew(deps, aSession()).append([started, accepted('p', 'hello'), began], { run: RUN })
  const writer = await reopened()
  expect(writer.run).toEqual(RUN)
  await writer.append([turnEnded()])
  expect(await store.turns.get('s1', 1)).toMatchObject({
    promptId: 'p',
    firstSeq: 2,
    lastSeq: 4,
    outcome: 'done',
  })
  expect(await store.nodes.get(nodeIdOf('s1', 1))).toMatchObject({ turn: 1, title: 'hello' })
  await writer.append([{ type: 'run.ended', runId: RUN.id }])
  expect((await reopened()).run).toBeUndefined()
})

test('all events after the last checkpoint are folded, however many', async () => {
  const { deps, reopened } = await books()
  const many = Array.from({ length: 1_200 }, (): SessionEvent => ({ type: 'text.streamed', text: '.' }))
  const writer = SessionWriter.ofNew(deps, aSession())
  await writer.append([accepted('p'), began, ...many, { type: 'model.chosen', model: 'opus' }, ...many])
  expect((await reopened()).state).toEqual(writer.state)
})

test('a step rings, and ends the silence', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  const { deps } = await books()
  const writer = SessionWriter.ofNew(deps, aSession())
  const { doorbell } = writer.listen()
  vi.advanceTimersByTime(100)
  expect(writer.quietMs).toBe(100)
  await writer.append([accepted('p')])
  expect(writer.quietMs).toBe(0)
  expect(await doorbell.next(0)).toBe(true)
})

test('a step is followed up also where nobody listens', async () => {
  const { deps } = await books()
  expect(() => SessionWriter.ofNew(deps, aSession()).followedUp([])).not.toThrow()
})

test('that an answer was sent is noted, and what a step requires is reported when it is done', async () => {
  const moments: string[] = []
  const { store, deps } = await books({
    onMoment: (moment, events) => moments.push(`${moment} ${events.length}`),
  })
  const writer = SessionWriter.ofNew(deps, aSession())
  const question = opened('1', 'tool-1')
  await writer.append([question])
  await writer.noteSent(question.approvalId)
  expect(await store.approvals.get(question.approvalId)).toMatchObject({ delivery: 'sent' })
  writer.followedUp([question])
  expect(moments).toEqual(['before-commit 1', 'after-commit 1', 'after-put 1'])
})
