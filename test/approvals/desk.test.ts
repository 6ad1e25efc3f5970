import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import type { Approval } from '../../src/approvals/approval.ts'
import { Desk } from '../../src/approvals/desk.ts'
import { waitForSessions } from '../../src/engine/wait-for.ts'
import { AppError } from '../../src/errors.ts'
import type { SessionEvent } from '../../src/events/session-event.ts'
import { Doorbells } from '../../src/sessions/doorbells.ts'
import { SessionWriter } from '../../src/sessions/session-writer.ts'
import { openMemoryStore } from '../../src/store/memory/open.ts'
import { openSqliteStore } from '../../src/store/sqlite/open.ts'
import type { Store } from '../../src/store/store.ts'
import { aSession } from '../contracts/rows.ts'
import { eventually } from '../rig/eventually.ts'
import { FakeClock } from '../rig/fake-clock.ts'
import { temporaryFolder } from '../rig/real-cli.ts'

const opened = (n: number): SessionEvent => ({
  type: 'approval.opened',
  approvalId: `a${n}`,
  kind: 'tool',
  requestId: `r${n}`,
  toolName: 'Bash',
  input: { command: `echo ${n}` },
  toolUseId: `t${n}`,
})

/** A session's writer and a desk, without a child: what is told to the child is what is owed by the record. */
async function deskOn(store: Store) {
  const doorbells = new Doorbells()
  const session = aSession({ id: randomUUID() })
  await store.sessions.create(session)
  const stored: ((events: readonly SessionEvent[]) => void)[] = []
  const onStored = (_: unknown, events: readonly SessionEvent[]) => stored.forEach((told) => told(events))
  const writer = await SessionWriter.open({ store, doorbells, now: Date.now, onStored }, session)
  const errors: unknown[] = []
  const desk = new Desk({
    approvals: store.approvals,
    settle: (_, settled) => writer.append([{ type: 'approval.settled', ...settled }], { durable: true }),
    mayRemember: async () => true,
    onError: (error) => errors.push(error),
  })
  const answer = async (n: number, choice: 'allow' | 'deny', by: string): Promise<Approval> =>
    desk.answer(await desk.find(`a${n}`), { answers: [choice] }, by)
  return { doorbells, session, writer, desk, answer, stored, errors }
}

const stores = {
  memory: () => openMemoryStore(),
  sqlite: async () => openSqliteStore(join(await temporaryFolder(), 'plexus.db')),
}

describe.each(Object.entries(stores))('on %s', (_name, open) => {
  test('R13: a thousand questions are all there, in order, and can be answered in any', async () => {
    const store = await open()
    const { writer, answer } = await deskOn(store)
    await writer.append(Array.from({ length: 1_000 }, (_, n) => opened(n)))
    expect((await store.approvals.pending()).map(({ id }) => id)).toEqual(
      Array.from({ length: 1_000 }, (_, n) => `a${n}`),
    )
    const order = Array.from({ length: 1_000 }, (_, n) => (n * 7) % 1_000)
    for (const n of order) await answer(n, n % 2 === 0 ? 'allow' : 'deny', 'ann')
    expect(await store.approvals.pending()).toEqual([])
    expect(await store.approvals.countByStatus()).toMatchObject({ allowed: 500, denied: 500, pending: 0 })
    await store.close()
  })
})

test('I11: an answer given inside the notice that the question was opened still wakes who waits, 10,000 times', async () => {
  const store = await openMemoryStore()
  const { doorbells, writer, desk, stored, session } = await deskOn(store)
  const answered: Promise<unknown>[] = []
  stored.push((events) => {
    for (const event of events)
      if (event.type === 'approval.opened')
        answered.push(
          desk
            .find(event.approvalId)
            .then((approval) => desk.answer(approval, { answers: ['allow'] }, 'ann')),
        )
  })
  for (let n = 0; n < 10_000; n++) {
    const look = async () => ((await store.approvals.get(`a${n}`))?.status === 'allowed' ? [session] : [])
    const waiting = waitForSessions(doorbells, {
      look,
      sessionIds: [session.id],
      ms: 20_000,
      signal: undefined,
    })
    await writer.append([opened(n)])
    expect(await waiting).toHaveLength(1)
    await writer.append([{ type: 'tool.finished', toolUseId: `t${n}`, isError: false, content: '' }])
  }
  await Promise.all(answered)
})

test('S12: past 64 questions in one session the next is refused, and those that are open stay', async () => {
  const store = await openMemoryStore()
  const { writer, desk, stored } = await deskOn(store)
  stored.push((events) => desk.watch({ id: writer.session.id, timeoutMs: 0 }, events))
  await writer.append(Array.from({ length: 70 }, (_, n) => opened(n)))
  await eventually(async () =>
    expect(await store.approvals.countByStatus()).toMatchObject({ pending: 64, denied: 6 }),
  )
  expect(await store.approvals.get('a69')).toMatchObject({
    status: 'denied',
    decision: { message: expect.stringContaining('Too many') as string },
  })
})

test('a question is found by its tool_use id in its own session, and nowhere else', async () => {
  const store = await openMemoryStore()
  const { writer, desk } = await deskOn(store)
  await writer.append([opened(1)])
  expect(await desk.find('t1', writer.session.id)).toMatchObject({ id: 'a1' })
  await expect(desk.find('t1')).rejects.toMatchObject({ code: 'not_found' })
  await expect(desk.find('a1', 'another session')).rejects.toBeInstanceOf(AppError)
})

test('silence is a no, also when that cannot be written at first', async () => {
  const store = await openMemoryStore()
  const { writer, session } = await deskOn(store)
  await writer.append([opened(1)])
  const full = new AppError('storage_full', 'The disk is full.')
  const errors: unknown[] = []
  const clock = new FakeClock()
  const desk = new Desk({
    approvals: store.approvals,
    settle: (_, settled) =>
      errors.length < 2
        ? Promise.reject(full)
        : writer.append([{ type: 'approval.settled', ...settled }], { durable: true }),
    mayRemember: async () => true,
    onError: (error) => errors.push(error),
    clock,
  })
  desk.noteOpen('a1', { id: session.id, timeoutMs: 1_000 })
  const pass = async (ms: number) => {
    clock.advance(ms)
    await setImmediate() // all that follows is done in this process, without waiting for anything
  }
  await pass(999)
  expect(errors).toEqual([])
  await pass(1)
  expect(await store.approvals.get('a1')).toMatchObject({ status: 'pending' })
  for (let tries = 0; tries < 3; tries++) await pass(60_000)
  expect(errors).toEqual([full, full])
  expect(await store.approvals.get('a1')).toMatchObject({ status: 'expired' })
  desk.close()
})
