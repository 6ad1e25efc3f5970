import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { BudgetSchema } from '../../src/budgets/budget-schema.ts'
import { budgetFrom } from '../../src/budgets/budget-from-text.ts'
import {
  amountText,
  budgetLines,
  budgetOf,
  isLow,
  isUsedUp,
  leftOf,
  limitKey,
  mostUsed,
  NOTHING,
  shareOf,
  spentText,
  sumOf,
  useText,
} from '../../src/budgets/budget.ts'

const amount = fc.double({ min: 0, max: 1e9, noNaN: true })
const limit = fc.double({ min: 1e-3, max: 1e9, noNaN: true })
const spent = fc.record({ usd: amount, tokens: amount, toolCalls: amount, seconds: amount })
const budget = fc.record(
  { usd: limit, tokens: limit, toolCalls: limit, seconds: limit },
  { requiredKeys: ['usd'] },
)

const use = (usd: number) => mostUsed({ usd: 10 }, { ...NOTHING, usd })
const refusal = (given: object) => BudgetSchema.safeParse(given).error?.issues[0]?.message

test('a budget is used up exactly when one of its limits is', () => {
  fc.assert(
    fc.property(budget, spent, (limits, used) => {
      const resources = ['usd', 'tokens', 'toolCalls', 'seconds'] as const
      const over = resources.some((one) => limits[one] !== undefined && used[one] >= limits[one])
      expect(isUsedUp(mostUsed(limits, used))).toBe(over)
      expect(Object.values(leftOf(limits, used)).includes(0)).toBe(over)
    }),
  )
})

test('more spending never uses less of it', () => {
  fc.assert(
    fc.property(budget, spent, spent, (limits, first, more) => {
      const [before, after] = [mostUsed(limits, first), mostUsed(limits, sumOf([first, more]))]
      expect(after && before && shareOf(after) >= shareOf(before)).toBe(true)
    }),
  )
})

test('from four fifths on it is low; a budget without limits is never', () => {
  expect([7.99, 8, 10].map((usd) => isLow(use(usd)))).toEqual([false, true, true])
  expect([9.99, 10].map((usd) => isUsedUp(use(usd)))).toEqual([false, true])
  expect(mostUsed({}, { ...NOTHING, usd: 5 })).toBeUndefined()
})

describe('what a person types', () => {
  test.each([
    ['usd=5', { usd: 5 }],
    ['usd=$2.50,tokens=2M', { usd: 2.5, tokens: 2_000_000 }],
    ['toolcalls=10k, seconds=600', { toolCalls: 10_000, seconds: 600 }],
  ])('%s is a budget', (text, expected) => {
    expect(budgetFrom([text])).toEqual(expected)
  })

  test.each(['5', 'usd', 'usd=', 'usd=-1', 'euro=5', 'usd=5;rm', 'usd=0', ''])('%s is none', (text) => {
    expect(() => budgetFrom([text])).toThrow(expect.objectContaining({ code: 'invalid_input' }) as Error)
  })
})

test('a budget must limit something, and nothing unknown', () => {
  expect(refusal({})).toContain('budget is empty')
  expect(refusal({ euro: 5 })).toContain('budget has no euro')
  expect(refusal({ usd: 0 })).toContain('more than 0')
})

test('the lines show each limit, the most used first', () => {
  const used = { usd: 4.1, tokens: 19_000, toolCalls: 3, seconds: 0 }
  expect(budgetLines({ usd: 5, tokens: 20_000, toolCalls: 100 }, used)).toEqual([
    '19,000 of 20,000 tokens',
    '$4.10 of $5.00',
    '3 of 100 tool calls',
  ])
  expect(useText({ resource: 'seconds', spent: 61.4, limit: 3600 })).toBe('61 of 3,600 seconds')
})

test('a budget that was set counts, one that was removed does not, and else that of the start', () => {
  expect(budgetOf({ config: {} })).toBeUndefined()
  expect(budgetOf({ config: { budget: { tokens: 5 } } })).toEqual({ tokens: 5 })
  expect(budgetOf({ config: { maxBudgetUsd: 2 } })).toEqual({ usd: 2 })
  expect(budgetOf({ config: { maxBudgetUsd: 2, budget: { usd: 1, tokens: 5 } } })).toEqual({
    usd: 1,
    tokens: 5,
  })
  expect(budgetOf({ budget: { usd: 9 }, config: { maxBudgetUsd: 2 } })).toEqual({ usd: 9 })
  expect(budgetOf({ budget: null, config: { maxBudgetUsd: 2 } })).toBeUndefined()
})

test('without a limit nothing is low or used up, and nothing is left to count', () => {
  expect([isLow(undefined), isUsedUp(undefined)]).toEqual([false, false])
  expect(mostUsed({}, NOTHING)).toBeUndefined()
  expect(leftOf({ tokens: 5 }, { ...NOTHING, tokens: 7 })).toEqual({ tokens: 0 })
  expect(sumOf([])).toEqual({ usd: 0, tokens: 0, toolCalls: 0, seconds: 0 })
  expect(NOTHING).toEqual(sumOf([]))
})

test('amounts have their unit', () => {
  expect(amountText('usd', 5)).toBe('$5.00')
  expect(amountText('toolCalls', 1_200)).toBe('1,200 tool calls')
  expect(spentText('usd', 4.1)).toBe('$4.10')
  expect(spentText('tokens', 12_000)).toBe('12,000 tokens')
  expect(limitKey({ resource: 'usd', limit: 5 })).not.toBe(limitKey({ resource: 'usd', limit: 6 }))
  expect(limitKey({ resource: 'usd', limit: 5 })).not.toBe(limitKey({ resource: 'tokens', limit: 5 }))
})

test.each(['a usd=5', 'usd=5 b', 'usd', 'usd=', 'usd=x', 'eur=5', '', '=5'])('%j is no limit', (text) => {
  expect(() => budgetFrom([text])).toThrow(/is no limit; give usd=5/)
})

test('what is no budget at all is refused with what one has', () => {
  expect(refusal({ eur: 1 })).toBe('budget has no eur; it may have usd, tokens, toolCalls and seconds.')
  expect(BudgetSchema.safeParse(5).error?.issues[0]?.message).toMatch(/^budget must be an object/)
  expect(refusal({ usd: undefined })).toMatch(/^budget is empty/)
})
