import { expect, test } from 'vitest'
import { modelSums } from '../../../src/commands/spending/model-sums.ts'

test.each([
  [
    { 'claude-sonnet-4-5': 1, 'claude-sonnet-4-5-20250929': 2, 'claude-sonnet-4-5[1m]': 4 },
    { 'claude-sonnet-4-5-20250929': 7 },
  ],
  [
    { 'claude-3-5-sonnet-20240620': 1, 'claude-3-5-sonnet-20241022': 2, 'claude-3-5-sonnet': 4 },
    { 'claude-3-5-sonnet': 4, 'claude-3-5-sonnet-20241022': 2, 'claude-3-5-sonnet-20240620': 1 },
  ],
  [
    { '': 1, 'a\u001B[2J': 2 },
    { 'a\\u{1b}[2J': 2, '(not known)': 1 },
  ],
])('%j is shown as %j', (costs, shown) => {
  const sums = modelSums(Object.entries(costs).map(([model, usd]) => ({ model, usd, tokens: 0 })))
  expect(sums.map(({ label, usd }) => [label, usd])).toEqual(Object.entries(shown))
})
