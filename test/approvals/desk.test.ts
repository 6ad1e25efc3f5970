import { randomUUID } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Approval } from '../../src/approvals/approval.ts'
import { Desk } from '../../src/approvals/desk.ts'
import { DEFAULT_LIMITS, type QuestionLimits, OpenQuestions } from '../../src/approvals/question-limits.ts'
import { waitUntil } from '../../src/engine/wait-until.ts'
import { AppError } from '../../src/base/errors.ts'
import type { EventOf } from '../../src/events/session-event.ts'
import { openMemoryStore } from '../../src/store/memory/open.ts'
import type { Store } from '../../src/sessions/record/store.ts'
import { aSession } from '../contracts/rows.ts'
import { deskFor, sessionsWith } from '../rig/hubs/desk-rig.ts'
import { eventually } from '../rig/tools/eventually.ts'
import { FakeClock } from '../rig/tools/fake-clock.ts'
import { asApprovalId } from '../rig/tools/ids.ts'
import { runs } from '../rig/tools/property-runs.ts'

const opened = (n: number): EventOf<'approval.opened'> => ({
  type: 'approval.opened',
  approvalId: asApprovalId(`a${n}`),
  kind: 'tool',
  requestId: `r${n}`,
  toolName: 'Bash',
  input: { command: `echo ${n}` },
  toolUseId: `t${n}`,
})

/** A session with a desk, answered by number. */
async function deskOn(store: Store, clock?: FakeClock) {
  const session = aSession({ id: randomUUID() })
  const rig = await deskFor(store, session, clock)
  const answer = async (n: number, choice: 'allow' | 'deny', by: string): Promise<Approval> =>
    rig.desk.answer(await rig.desk.find(`a${n}`), { answers: [choice] }, by)
  return { ...rig, session, answer }
}

/** So many turns of the microtask queue. */
async function turns(count: number): Promise<void> {
  for (let left = count; left > 0; left--) await Promise.resolve()
}

/** An order of the three, and how long two of them wait after the first. */
const INTERLEAVINGS = 6 * 41 * 41

const ORDERS = [
  [0, 1, 2],
  [0, 2, 1],
  [1, 0, 2],
  [1, 2, 0],
  [2, 0, 1],
  [2, 1, 0],
]

test('I11 R14: two answers and the expiry race while a question is opened: one wins, the others get an error, waiting callers wake up, in any of 10,086 interleavings', async () => {
  const store = await openMemoryStore()
  const clock = new FakeClock()
  const { doorbells, writer, desk, stored, session, answer, errors } = await deskOn(store, clock)
  let rivals: Promise<PromiseSettledResult<Approval>[]> = Promise.resolve([])
  stored.push((events) => {
    desk.watch({ ...session, timeoutMs: 1_000 }, events)
    const [event] = events
    if (event?.type !== 'approval.opened') return
    const n = Number(event.approvalId.slice(1))
    const gaps = [0, n % 41, Math.floor(n / 41) % 41]
    const after = (rival: number) => gaps[ORDERS[n % 6]?.[rival] ?? 0] ?? 0
    void turns(after(2)).then(() => clock.advance(1_000))
    rivals = Promise.allSettled([
      turns(after(0)).then(() => answer(n, 'allow', 'ann')),
      turns(after(1)).then(() => answer(n, 'deny', 'ben')),
    ])
  })
  const wins = { allowed: 0, denied: 0, expired: 0, withdrawn: 0, pending: 0 }
  const [first, count] = [Math.floor(Math.random() * INTERLEAVINGS), runs(INTERLEAVINGS)]
  for (let step = 0; step < count; step++) {
    // A prime step, so that a part of them is as mixed as all.
    const n = (first + step * 4_001) % INTERLEAVINGS
    const rowOf = () => store.approvals.get(`a${n}`)
    const waiting = waitUntil(doorbells, {
      find: async () => (((await rowOf())?.status ?? 'pending') === 'pending' ? [] : [session]),
      sessionIds: [session.id],
      ms: 20_000,
      signal: undefined,
    })
    await writer.append([opened(n)])
    const woken = await waiting
    const row = await rowOf()
    wins[row?.status ?? 'pending'] += 1
    const told = (await rivals).map((one): Approval | undefined =>
      one.status === 'fulfilled' ? one.value : ((one.reason as AppError).data?.['approval'] as Approval),
    )
    const agreed = told.every((one) => one?.status === row?.status && one?.by === row?.by)
    const winners = (await rivals).filter(({ status }) => status === 'fulfilled').length
    if (woken.length !== 1 || !agreed || winners !== (row?.by === undefined ? 0 : 1))
      throw new Error(`question ${n} is ${row?.status} by ${row?.by}, and ${JSON.stringify(told)} was told`)
    await writer.append([{ type: 'tool.finished', toolUseId: `t${n}`, isError: false, content: '' }])
  }
  expect(errors).toEqual([])
  expect(Math.min(wins.allowed, wins.denied, wins.expired)).toBeGreaterThan(count / 100)
}, 90_000)

test('S12: beyond 64 questions in one session the next is queued; its time limit starts when it opens, and an answer to it counts before that', async () => {
  const store = await openMemoryStore()
  const clock = new FakeClock()
  const { writer, desk, stored, answer } = await deskOn(store, clock)
  stored.push((events) => desk.watch({ ...writer.session, timeoutMs: 1_000 }, events))
  await writer.append(Array.from({ length: 67 }, (_, n) => opened(n)))
  expect(await store.approvals.countByStatus()).toMatchObject({ pending: 67, denied: 0 })
  const inLine = () => [63, 64, 65, 66].filter((n) => desk.isQueued(`a${n}`))
  expect(inLine()).toEqual([64, 65, 66])
  await answer(65, 'allow', 'ann')
  expect(inLine()).toEqual([64, 66])
  await answer(3, 'allow', 'ann')
  expect(inLine()).toEqual([66])
  expect([desk.expiresAt('a64'), desk.expiresAt('a66')]).toEqual([clock.now() + 1_000, undefined])
  // Silence is a no for those that are open, and makes room.
  clock.advance(1_000)
  await eventually(async () =>
    expect(await store.approvals.countByStatus()).toMatchObject({ pending: 1, expired: 64 }),
  )
  expect(await store.approvals.get('a66')).toMatchObject({ status: 'pending' })
  expect(desk.expiresAt('a66')).toBe(clock.now() + 1_000)
})

test('a question is found by its tool_use id in its own session, and nowhere else', async () => {
  const store = await openMemoryStore()
  const { writer, desk } = await deskOn(store)
  await writer.append([opened(1)])
  expect(await desk.find('t1', writer.session.id)).toMatchObject({ id: 'a1' })
  await expect(desk.find('t1')).rejects.toMatchObject({ code: 'not_found' })
  await expect(desk.find('a1', 'another session')).rejects.toBeInstanceOf(AppError)
})

test('S38: an answer by a tool_use id settles the only open question about it, and is refused if there are several', async () => {
  const store = await openMemoryStore()
  const { writer, desk } = await deskOn(store)
  await writer.append([1, 2].map((n) => ({ ...opened(n), toolUseId: 't' })))
  const find = () => desk.find('t', writer.session.id)
  await expect(find()).rejects.toMatchObject({
    code: 'invalid_input',
    message: expect.stringMatching(/^2 questions .* by its own id: a1, a2\.$/) as string,
  })
  await desk.answer(await desk.find('a2'), { answers: ['deny'] }, 'ann')
  expect(await find()).toMatchObject({ id: 'a1', status: 'pending' })
  await desk.answer(await find(), { answers: ['allow'] }, 'ann')
  expect(await find()).toMatchObject({ id: 'a2', status: 'denied' })
})

test('S38: a question that is settled while a new hub loads the open ones is not counted', async () => {
  const store = await openMemoryStore()
  const { writer, session } = await deskOn(store)
  const settle = (settled: Omit<EventOf<'approval.settled'>, 'type'>) =>
    writer.append([{ type: 'approval.settled', ...settled }])
  const { approvals } = store
  const limits = { ...DEFAULT_LIMITS, perSession: 1 }
  const sessions = sessionsWith((_, settled) => settle(settled))
  const desk = new Desk({ approvals, sessions, limits, onError: () => {} })
  await writer.append([opened(1)])
  await desk.resume(async () => {
    await settle({ approvalId: asApprovalId('a1'), status: 'withdrawn' })
    desk.watch(session, [{ type: 'approval.settled', approvalId: asApprovalId('a1'), status: 'withdrawn' }])
    return session
  })
  await writer.append([opened(2)])
  desk.watch(session, [opened(2)])
  await setImmediate()
  expect(await approvals.get('a2')).toMatchObject({ status: 'pending' })
})

const limitsOf = (limits: Partial<QuestionLimits>) => new OpenQuestions({ ...DEFAULT_LIMITS, ...limits })

test('S35: the questions of one owner leave room for those of others, up to the total limit; the rest is queued', () => {
  const open = limitsOf({ perSession: 2, perOwner: 3, inAll: 5 })
  const add = (id: string, sessionId: string, owner: string) => open.add(id, { sessionId, owner, bytes: 1 })
  expect([add('1', 's', 'a'), add('2', 's', 'a')]).toEqual([{ kind: 'open' }, { kind: 'open' }])
  expect(add('3', 's', 'a')).toEqual({ kind: 'queued', limit: 'perSession' })
  expect(add('4', 's2', 'a')).toEqual({ kind: 'open' })
  expect(add('5', 's2', 'a')).toEqual({ kind: 'queued', limit: 'perOwner' })
  expect([add('6', 's3', 'b'), add('7', 's3', 'b')]).toEqual([{ kind: 'open' }, { kind: 'open' }])
  expect(add('8', 's4', 'b')).toEqual({ kind: 'queued', limit: 'inAll' })
  // One that leaves the line makes no room; one that was open does, for the first in line that fits.
  expect(open.remove('3')).toEqual([])
  expect(open.remove('6')).toEqual(['8'])
  expect(open.remove('4')).toEqual(['5'])
  expect(['5', '8'].map((id) => open.isQueued(id))).toEqual([false, false])
})

test('S35: whatever is added and removed, no limit is exceeded, nothing is queued without a reason, and a session is served in the order of asking', () => {
  const most = { perSession: 2, perOwner: 3, inAll: 4 }
  const step = fc.oneof(
    fc.record({ add: fc.nat(3), owner: fc.constant('') }),
    fc.record({ remove: fc.nat(20) }),
  )
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const open = limitsOf(most)
      const all: { id: string; session: string; owner: string }[] = []
      let next = 0
      for (const one of steps) {
        if ('add' in one) {
          const question = { id: `q${next++}`, session: `s${one.add}`, owner: `o${one.add % 2}` }
          all.push(question)
          open.add(question.id, { sessionId: question.session, owner: question.owner, bytes: 1 })
        } else {
          const [gone] = all.splice(one.remove % Math.max(1, all.length), 1)
          if (gone) open.remove(gone.id)
        }
        const shown = all.filter(({ id }) => !open.isQueued(id))
        const ofSession = (name: string) => shown.filter(({ session }) => session === name).length
        const ofOwner = (name: string) => shown.filter((question) => question.owner === name).length
        const isFull = ({ session, owner }: { session: string; owner: string }) =>
          ofSession(session) >= most.perSession ||
          ofOwner(owner) >= most.perOwner ||
          shown.length >= most.inAll
        expect(shown.length).toBeLessThanOrEqual(most.inAll)
        for (const { session, owner } of shown) {
          expect(ofSession(session)).toBeLessThanOrEqual(most.perSession)
          expect(ofOwner(owner)).toBeLessThanOrEqual(most.perOwner)
        }
        for (const waiting of all.filter(({ id }) => open.isQueued(id))) {
          expect(isFull(waiting)).toBe(true)
          const later = all.slice(all.indexOf(waiting)).filter(({ session }) => session === waiting.session)
          expect(later.every(({ id }) => open.isQueued(id))).toBe(true)
        }
      }
    }),
    { numRuns: runs(1_000) },
  )
})

test('S37: the inputs have a total size limit, and a single question is always accepted', () => {
  const open = limitsOf({ bytesPerOwner: 10_000, bytesInAll: 14_500 })
  const add = (id: string, owner: string, bytes: number) => open.add(id, { sessionId: id, owner, bytes })
  expect(add('1', 'a', 12_000)).toEqual({ kind: 'open' })
  expect(add('2', 'a', 1)).toEqual({ kind: 'refused', limit: 'bytesPerOwner' })
  expect(add('3', 'b', 2_000)).toEqual({ kind: 'open' })
  expect(add('4', 'b', 1)).toEqual({ kind: 'refused', limit: 'bytesInAll' })
})

test('a question without an answer is denied, also if the denial cannot be written at first', async () => {
  const store = await openMemoryStore()
  const { writer, session } = await deskOn(store)
  await writer.append([opened(1)])
  const full = new AppError('storage_full', 'The disk is full.')
  const errors: unknown[] = []
  const clock = new FakeClock()
  const desk = new Desk({
    approvals: store.approvals,
    sessions: sessionsWith((_, settled) =>
      errors.length < 2 ? Promise.reject(full) : writer.append([{ type: 'approval.settled', ...settled }]),
    ),
    onError: (error) => errors.push(error),
    clock,
  })
  desk.track('a1', { ...session, timeoutMs: 1_000 }, 10)
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

test('what is settled leaves its room to others, to the last byte', () => {
  const open = limitsOf({ bytesPerOwner: 4_000, bytesInAll: 6_000 })
  const add = (id: string, owner: string, bytes: number) => open.add(id, { sessionId: id, owner, bytes }).kind
  expect([add('1', 'a', 2_000), add('2', 'a', 2_001), add('2', 'a', 2_000)]).toEqual([
    'open',
    'refused',
    'open',
  ])
  expect([add('3', 'b', 1_024), add('4', 'b', 977), add('5', 'b', 976)]).toEqual([
    'open',
    'refused',
    'refused',
  ])
  expect([open.remove('1'), open.remove('1'), open.remove('nobody')]).toEqual([[], [], []])
  expect([add('4', 'b', 1_024), add('5', 'b', 1_952), add('6', 'b', 1_025)]).toEqual([
    'open',
    'open',
    'refused',
  ])
})
