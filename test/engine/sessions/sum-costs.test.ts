import { expect, test } from 'vitest'
import { localDays, sumCosts } from '../../../src/engine/sessions/sum-costs.ts'
import { openMemoryStore } from '../../../src/store/memory/open.ts'
import { aSession, aStep } from '../../contracts/rows.ts'
import { CALLERS } from '../../rig/clients/family.ts'

const NOON = new Date(2026, 2, 30, 12).getTime()
const NOW = { now: () => NOON, steadyNow: () => NOON, priceOf: () => undefined }
const daysAgo = (days: number) => new Date(2026, 2, 30 - days, 0, 0, 0, 1).getTime()

/** A session of two with one below it, spent on three days. */
async function spent() {
  const store = await openMemoryStore()
  await store.sessions.create(aSession({ id: 'top', name: 'top', owner: 'owner', costUsd: 3.5 }))
  await store.sessions.create(aSession({ id: 'below', parentId: 'top', owner: 'owner', costUsd: 0.1 }))
  await store.sessions.create(aSession({ id: 'other', owner: 'stranger', costUsd: 7 }))
  const spend = (sessionId: string, at: number, usd: number) =>
    store.journal.append(aStep(1, { sessionId, at, spent: [{ model: 'm', usd, tokens: 10 }] }))
  await spend('top', daysAgo(0), 0.5)
  await spend('below', daysAgo(0), 0.1)
  await spend('top', daysAgo(1), 3)
  await spend('other', daysAgo(2) - 2, 7)
  return store
}

test('sums are by day of the time zone here, the latest first, and by session', async () => {
  const store = await spent()
  const costs = await sumCosts(store, CALLERS.operator, { days: 4 }, NOW)
  expect(costs).toEqual({
    zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    days: [
      { day: '2026-03-30', usd: 0.6, tokens: 20 },
      { day: '2026-03-29', usd: 3, tokens: 10 },
      { day: '2026-03-28', usd: 0, tokens: 0 },
      { day: '2026-03-27', usd: 7, tokens: 10 },
    ],
    sessions: [
      { sessionId: 'other', usd: 7 },
      { sessionId: 'top', name: 'top', usd: 3.5 },
      { sessionId: 'below', usd: 0.1 },
    ],
    models: [{ model: 'm', usd: 10.6, tokens: 40 }],
  })
  expect((await sumCosts(store, CALLERS.operator, {}, NOW)).days).toEqual([
    { day: '2026-03-30', usd: 0.6, tokens: 20 },
  ])
})

test('a session has its own sum and that of its tree; what was spent stays when it is removed', async () => {
  const store = await spent()
  const named = await sumCosts(store, CALLERS.operator, { sessionId: 'top' }, NOW)
  expect(named.session).toEqual({
    sessionId: 'top',
    usd: 3.5,
    treeUsd: 3.6,
    below: 1,
    spent: { usd: 3.6, tokens: 0, toolCalls: 0, seconds: 0 },
  })
  expect(named.days).toEqual([{ day: '2026-03-30', usd: 0.6, tokens: 20 }])
  await store.sessions.remove('below')
  const without = await sumCosts(store, CALLERS.operator, { sessionId: 'top' }, NOW)
  expect(without).toMatchObject({
    session: { treeUsd: 3.6, below: 0, spent: { usd: 3.6 } },
    days: named.days,
  })
  await store.sessions.remove('top')
  const { days } = await sumCosts(store, CALLERS.operator, { days: 2 }, NOW)
  expect(days.map(({ usd }) => usd)).toEqual([0.6, 3])
})

test('a caller is shown the sums of what it may read alone', async () => {
  const store = await spent()
  const of = async (caller: (typeof CALLERS)[keyof typeof CALLERS]) =>
    (await sumCosts(store, caller, { days: 4 }, NOW)).sessions.map(({ sessionId }) => sessionId)
  expect(await of(CALLERS.owner)).toEqual(['top', 'below'])
  expect(await of(CALLERS.stranger)).toEqual(['other'])
  expect(await of(CALLERS['device that reads'])).toEqual(['other', 'top', 'below'])
  expect(await of({ ...CALLERS.parent, name: 'top' })).toEqual(['below'])
  await expect(sumCosts(store, CALLERS.stranger, { sessionId: 'top' }, NOW)).rejects.toMatchObject({
    code: 'not_found',
  })
})

test('days follow each other without a gap, also where a clock is changed', () => {
  const days = localDays(NOON, 366)
  expect(new Set(days.map(({ day }) => day)).size).toBe(366)
  for (const [index, { from }] of days.entries()) expect(days[index + 1]?.until ?? from).toBe(from)
})
