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

test('a sum below the last one counts whole, an equal one counts nothing', () => {
  const first = withModelReport(NO_MODEL_COSTS, report(3, 30))
  expect(withModelReport(first, report(1, 10)).sums['opus']).toEqual({ usd: 4, tokens: 40 })
  expect(withModelReport(first, report(3, 30)).sums['opus']).toEqual({ usd: 3, tokens: 30 })
})

test('the end of a process forgets its sums, unless they continue or there are none', () => {
  const costs = withModelReport(NO_MODEL_COSTS, report(3, 30))
  expect(modelCostsAfterRun(costs, false)).toEqual({ sums: report(3, 30), reported: {} })
  expect(modelCostsAfterRun(costs, true)).toBe(costs)
  expect(modelCostsAfterRun(NO_MODEL_COSTS, false)).toBe(NO_MODEL_COSTS)
})

test('what cost only money or only tokens is listed, and sums of fractions are not', () => {
  const none = { usd: 0, tokens: 0, models: {} }
  const models = {
    opus: { usd: 1, tokens: 0 },
    haiku: { usd: 0, tokens: 5 },
    sonnet: { usd: 1e-10, tokens: 0 },
  }
  expect(costsBetween(none, { usd: 1, tokens: 5, models }).map(({ model }) => model)).toEqual([
    'opus',
    'haiku',
  ])
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
