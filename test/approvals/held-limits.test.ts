/** The time limits of a flood, with a clock that the test moves: nothing expires before a person could see it. */
import { setImmediate } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import type { Session } from '../../src/sessions/record/session.ts'
import type { SessionEvent } from '../../src/events/session-event.ts'
import { Desk } from '../../src/approvals/desk.ts'
import { SessionWriter } from '../../src/sessions/writing/session-writer.ts'
import { Doorbells } from '../../src/sessions/record/session-doorbells.ts'
import { openMemoryStore } from '../../src/store/memory/open.ts'
import type { Store } from '../../src/sessions/record/store.ts'
import { aSession } from '../contracts/rows.ts'
import { sessionsWith } from '../rig/hubs/desk-rig.ts'
import { sqliteStoreOfTest } from '../rig/tools/sqlite-store.ts'
import { asApprovalId } from '../rig/tools/ids.ts'
import { FakeClock } from '../rig/tools/fake-clock.ts'

const LIMIT = 60_000

const opened = (id: string, timeoutMs?: number): SessionEvent => ({
  type: 'approval.opened',
  approvalId: asApprovalId(id),
  kind: 'tool',
  requestId: id,
  toolName: 'Bash',
  input: { command: `touch ${id}` },
  ...(timeoutMs === undefined ? {} : { verdict: { effect: 'ask', drawer: 'rules', timeoutMs } }),
})

/** A session that asks a person at most two questions in a turn, and a desk that watches it; `restart` is the next hub. */
async function flooded(store: Store, clock = new FakeClock()) {
  await store.sessions.create(aSession({ timeoutMs: LIMIT, ask: 'person', status: 'running' }))
  const errors: unknown[] = []
  const sit = async () => {
    const session = await store.sessions.get('s1')
    if (!session) throw new Error('There is no session.')
    const onStored = (now: Session, events: readonly SessionEvent[]) => desk.watch(now, events)
    const flood = { perTurn: 2, perMinute: 100 }
    const writer = await SessionWriter.open(
      { store, doorbells: new Doorbells(), now: () => clock.now(), onStored, flood },
      session,
    )
    const desk = new Desk({
      approvals: store.approvals,
      sessions: sessionsWith((_, settled) => writer.append([{ type: 'approval.settled', ...settled }])),
      onError: (error) => errors.push(error),
      clock,
    })
    return { writer, desk }
  }
  let seat = await sit()
  const pass = async (ms: number) => {
    clock.advance(ms)
    for (let moment = 0; moment < 20; moment += 1) await setImmediate()
  }
  const statuses = async () => {
    const ids = ['a', 'b', 'c', 'd', 'e']
    const found = await Promise.all(ids.map((id) => store.approvals.get(id)))
    return found.flatMap((one) => (one ? [one.status] : []))
  }
  const standing = async () => (await store.approvals.pending()).find(({ flood }) => flood)
  return {
    ask: (...events: SessionEvent[]) => seat.writer.append(events),
    expiresIn: (id: string) => {
      const time = seat.desk.expiresAt(id)
      return time === undefined ? undefined : time - clock.now()
    },
    answer: async (id: string, answers: string[]) =>
      seat.desk.answer(await seat.desk.find(id), { answers }, 'ann', { via: 'page' }),
    restart: async () => {
      clock.forgetTimers()
      seat = await sit()
      await seat.desk.resume((id) => store.sessions.get(id))
    },
    pass,
    statuses,
    standing,
    errors,
  }
}

describe.each([
  ['memory', () => openMemoryStore()],
  ['sqlite', sqliteStoreOfTest],
] as const)('[13] in a store of %s', (_, open) => {
  test('the time of a held question begins when it is shown, one after the other, also by the next hub (asked for: 10)', async () => {
    const flood = await flooded(await open())
    await flood.ask(...['a', 'b', 'c', 'd', 'e'].map((id) => opened(id)))
    const standing = await flood.standing()
    expect(flood.expiresIn('a')).toBe(LIMIT)
    expect(['c', 'd', 'e'].map(flood.expiresIn)).toEqual([undefined, undefined, undefined])
    expect(flood.expiresIn(standing?.id ?? '')).toBe(LIMIT)
    await flood.answer('a', ['allow'])
    await flood.answer('b', ['allow'])
    await flood.pass(LIMIT - 1)
    await flood.answer(standing?.id ?? '', ['show'])
    expect(['c', 'd', 'e'].map(flood.expiresIn)).toEqual([LIMIT, undefined, undefined])
    await flood.pass(LIMIT - 1)
    await flood.restart()
    expect(['c', 'd', 'e'].map(flood.expiresIn)).toEqual([LIMIT, undefined, undefined])
    await flood.answer('c', ['allow'])
    expect(['d', 'e'].map(flood.expiresIn)).toEqual([LIMIT, undefined])
    await flood.pass(LIMIT)
    expect(await flood.statuses()).toEqual(['allowed', 'allowed', 'allowed', 'expired', 'pending'])
    expect(flood.expiresIn('e')).toBe(LIMIT)
    expect(flood.errors).toEqual([])
  })

  test('while nobody answers for them, all that are held expire together, no sooner than their limit after the last was asked', async () => {
    const flood = await flooded(await open())
    await flood.ask(...['a', 'b', 'c'].map((id) => opened(id)))
    const standing = (await flood.standing())?.id ?? ''
    await flood.pass(LIMIT - 1)
    await flood.ask(opened('d'))
    expect(flood.expiresIn(standing)).toBe(LIMIT)
    await flood.pass(1)
    expect(await flood.statuses()).toEqual(['expired', 'expired', 'pending', 'pending'])
    await flood.restart()
    expect(flood.expiresIn(standing)).toBe(LIMIT)
    await flood.pass(LIMIT)
    expect(await flood.statuses()).toEqual(['expired', 'expired', 'expired', 'expired'])
    expect(await flood.standing()).toBeUndefined()
  })

  test('a held question that may wait for ever by its rule stays, and the question that stands for it too', async () => {
    const flood = await flooded(await open())
    await flood.ask(opened('a'), opened('b'), opened('c', 0), opened('d'))
    await flood.pass(LIMIT)
    expect(await flood.statuses()).toEqual(['expired', 'expired', 'pending', 'expired'])
    const standing = (await flood.standing())?.id ?? ''
    expect(flood.expiresIn(standing)).toBeUndefined()
    await flood.answer(standing, ['show'])
    expect(flood.expiresIn('c')).toBeUndefined()
  })
})
