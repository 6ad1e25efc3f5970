import { expect, test } from 'vitest'
import {
  costsBetween,
  modelCostsAfterRun,
  NO_MODEL_COSTS,
  withModelReport,
} from '../../../src/sessions/spending/model-costs.ts'

const report = (usd: number, tokens: number) => ({ opus: { usd, tokens } })

test('reports are sums of a process: a lower one is of a new process, and one that continues doubles nothing', () => {
  const first = withModelReport(NO_MODEL_COSTS, { ...report(1, 10), haiku: { usd: 0.5, tokens: 5 } })
  const second = withModelReport(first, report(3, 30))
  expect(second.sums).toEqual({ opus: { usd: 3, tokens: 30 }, haiku: { usd: 0.5, tokens: 5 } })
  expect(withModelReport(modelCostsAfterRun(second, false), report(1, 10)).sums['opus']).toEqual({
    usd: 4,
    tokens: 40,
  })
  expect(withModelReport(modelCostsAfterRun(second, true), report(4, 40)).sums['opus']).toEqual({
    usd: 4,
    tokens: 40,
  })
})

test('what no model is named for counts for the model of the turn', () => {
  const none = { usd: 0, tokens: 0, models: {} }
  const after = { usd: 3, tokens: 12, models: { opus: { usd: 1, tokens: 10 } } }
  expect(costsBetween(none, after, 'haiku')).toEqual([
    { model: 'opus', usd: 1, tokens: 10 },
    { model: 'haiku', usd: 2, tokens: 2 },
  ])
  expect(costsBetween(after, after, 'haiku')).toEqual([])
})

test('a name that every object has is a name like any other', () => {
  const costs = withModelReport(NO_MODEL_COSTS, { constructor: { usd: 1, tokens: 2 } })
  expect(costs.sums['constructor']).toEqual({ usd: 1, tokens: 2 })
})
