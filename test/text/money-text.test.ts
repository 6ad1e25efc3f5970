import { assert, double, integer, property } from 'fast-check'
import { expect, test } from 'vitest'
import { limitText, moneyText, spentOfLimitText } from '../../src/text/money-text.ts'

test.each([
  [0, '$0.00'],
  [0.00001, '<$0.0001'],
  [0.0042, '$0.0042'],
  [0.004, '$0.004'],
  [0.29, '$0.29'],
  [0.2999, '$0.29'],
  [0.1 + 0.2, '$0.30'],
  [4.999, '$4.99'],
  [12, '$12.00'],
])('%d is %s', (usd, text) => {
  expect(moneyText(usd)).toBe(text)
})

test.each([
  [0.2963, 0.3, '$0.29 of $0.30'],
  [0.3, 0.3, '$0.30 of $0.30'],
  [0.304, 0.305, '$0.304 of $0.305'],
  [0.001, 5, '$0.001 of $5.00'],
  [0.0004, 0.001, '$0.0004 of $0.001'],
])('%d of %d is %s', (spent, limit, text) => {
  expect(spentOfLimitText(spent, limit)).toBe(text)
})

test('what is below a limit never reads like the limit, and a cost reads the same beside it', () => {
  const cents = integer({ min: 1, max: 100_000 }).map((count) => count / 100)
  assert(
    property(cents, double({ min: 0, max: 0.999, noNaN: true }), (limit, share) => {
      const text = spentOfLimitText(limit * share, limit)
      expect(text).not.toBe(`${limitText(limit)} of ${limitText(limit)}`)
      expect(text.split(' of ')[0]).toBe(moneyText(limit * share))
    }),
  )
})
