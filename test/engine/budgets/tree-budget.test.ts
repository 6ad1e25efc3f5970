import { describe, expect, test } from 'vitest'
import { PROCESS_BEGAN } from '../../../src/base/clock.ts'
import { StartOptions } from '../../../src/child/launch/start-options.ts'
import { requireBudget, requireReserve } from '../../../src/engine/budgets/require-budget.ts'
import { budgetOf } from '../../../src/budgets/budget.ts'
import { budgetsAbove, spentOf } from '../../../src/engine/budgets/tree-budget.ts'
import { openMemoryStore } from '../../../src/store/memory/open.ts'
import { aSession } from '../../contracts/rows.ts'

const AT = PROCESS_BEGAN + 10_000
const NOW = { now: () => AT, steadyNow: () => AT, priceOf: () => 0.001 }
const options = (given: object) => StartOptions.parse(given)
const spent = (tokens: number, turnTokens = 0) => ({ tokens, turnTokens, toolCalls: 1, workMs: 1_000 })

/** A tree: top (10 dollars) with two sessions below it, one of which has 4 dollars of its own. */
async function aTree(status: 'running' | 'done' = 'running') {
  const store = await openMemoryStore()
  const top = aSession({ id: 'top', name: 'top', config: options({ budget: { usd: 10 } }), costUsd: 1 })
  const reserved = aSession({
    id: 'a',
    parentId: 'top',
    status,
    config: options({ budget: { usd: 4 } }),
    costUsd: 1.5,
    spent: spent(100),
  })
  const free = aSession({ id: 'b', parentId: 'top', costUsd: 2, spent: spent(50, 500) })
  for (const session of [top, reserved, free]) await store.sessions.create(session)
  return { store, top, reserved, free }
}

test('a session spends from its own budget and from those above it', async () => {
  const { store, reserved, free } = await aTree()
  const of = async (session: typeof free) =>
    (await budgetsAbove(store, session, NOW)).map((found) => [found.session.id, found.spent.usd])
  // The running turn of b is taken at the price of a token.
  expect(await of(reserved)).toEqual([
    ['a', 1.5],
    ['top', 5],
  ])
  expect(await of(free)).toEqual([['top', 5]])
})

test('a turn is refused where a budget above is used up, and the error names its session', async () => {
  const { store, top, free } = await aTree()
  await expect(requireBudget(store, free, NOW)).resolves.toHaveLength(1)
  await store.sessions.remove('top')
  await store.sessions.create({ ...top, costUsd: 7 })
  await expect(requireBudget(store, free, NOW)).rejects.toMatchObject({
    code: 'over_budget',
    message: expect.stringContaining('session top is used up: $11.00 of $10.00') as unknown,
  })
})

describe('a start below', () => {
  test('is taken with what is left: 10, less 5 that is spent, less 2.5 that is reserved for a', async () => {
    const { store, top } = await aTree()
    await expect(requireReserve(store, top, { usd: 2.5 }, NOW)).resolves.toBeUndefined()
    await expect(requireReserve(store, top, { usd: 2.51 }, NOW)).rejects.toMatchObject({
      code: 'over_budget',
      data: { left: 2.5 },
    })
  })

  test('gets back what a session that has ended did not use', async () => {
    const { store, top } = await aTree('done')
    await expect(requireReserve(store, top, { usd: 5 }, NOW)).resolves.toBeUndefined()
  })
})

test('the budget is the one that was set last; maxBudgetUsd is usd under its old name', () => {
  const config = options({ maxBudgetUsd: 3 })
  expect(budgetOf({ config })).toEqual({ usd: 3 })
  expect(budgetOf({ config: options({ maxBudgetUsd: 3, budget: { tokens: 5 } }) })).toEqual({
    usd: 3,
    tokens: 5,
  })
  expect(budgetOf({ config, budget: { tokens: 7 } })).toEqual({ tokens: 7 })
  expect(budgetOf({ config, budget: null })).toBeUndefined()
})

test('the time of a session at work counts until now', () => {
  const session = aSession({ id: 's', status: 'running', spent: { ...spent(0), since: AT - 6_000 } })
  expect(spentOf(session, AT).seconds).toBe(7)
  expect(spentOf(aSession({ id: 'old' }), 10_000).seconds).toBe(0)
})
