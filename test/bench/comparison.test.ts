import { expect, test } from 'vitest'
import { comparisonOf, medianOf } from '../../bench/harness/comparison.ts'
import { type Figure, inPairs } from '../../bench/harness/figure.ts'
import { pageWith, tableOf } from '../../bench/harness/table.ts'

function figureWith(goal: Figure['goal']): Figure {
  return {
    id: 'P0',
    title: 'a figure',
    reference: 'another',
    unit: 'ms',
    goal,
    run: () => inPairs(0, noop, noop),
  }
}

function noop(): void {}

function around(middle: number): number[] {
  return Array.from({ length: 31 }, (_, at) => middle * (1 + (at - 15) / 1000))
}

test('the median of an even number of values lies between the middle two', () => {
  expect(medianOf([9, 1, 5])).toBe(5)
  expect(medianOf([10, 1, 4, 2])).toBe(3)
})

test('a goal is reached or missed only when the whole interval is on one side of it', () => {
  const samples = { ours: around(2), reference: around(1).toReversed() }
  expect(comparisonOf(figureWith({ max: 3 }), samples)).toMatchObject({
    ratio: 2,
    reached: 'yes',
    goal: '≤ 3',
  })
  expect(comparisonOf(figureWith({ max: 1.5 }), samples).reached).toBe('no')
  expect(comparisonOf(figureWith({ max: 2 }), samples).reached).toBe('open')
  expect(comparisonOf(figureWith({ min: 1.5 }), samples)).toMatchObject({ reached: 'yes', goal: '≥ 1.5' })
  expect(comparisonOf(figureWith({ min: 3 }), samples).reached).toBe('no')
})

test('a goal for ours alone is judged by ours, whatever the reference is', () => {
  const samples = { ours: around(2), reference: around(0.01) }
  expect(comparisonOf(figureWith({ oursMax: 3 }), samples)).toMatchObject({
    reached: 'yes',
    goal: 'ours ≤ 3 ms',
  })
  expect(comparisonOf(figureWith({ oursMax: 1.5 }), samples).reached).toBe('no')
  expect(comparisonOf(figureWith({ oursMax: 2 }), samples).reached).toBe('open')
})

test('a goal for what is added is judged besides the ratio, and the worse of both counts', () => {
  const samples = { ours: around(420), reference: around(400).toReversed() }
  const reached = (max: number, addedMax: number) =>
    comparisonOf(figureWith({ max, addedMax }), samples).reached
  expect(reached(1.1, 25)).toBe('yes')
  expect(reached(1.1, 20)).toBe('open')
  expect(reached(1.1, 10)).toBe('no')
  expect(reached(1.01, 25)).toBe('no')
  expect(comparisonOf(figureWith({ max: 1.1, addedMax: 25 }), samples).goal).toBe('≤ 1.1, ≤ 25 ms added')
})

test('a goal for what is added alone leaves the ratio free, and the table shows both', () => {
  const samples = { ours: around(42), reference: around(20).toReversed() }
  const comparison = (addedMax: number) => comparisonOf(figureWith({ addedMax }), samples)
  expect(comparison(25)).toMatchObject({ reached: 'yes', goal: '≤ 25 ms added', ratio: 2.1 })
  expect(comparison(22).reached).toBe('open')
  expect(comparison(10).reached).toBe('no')
  const { added } = comparison(25)
  expect(added?.median).toBe(22)
  expect(added?.low).toBeLessThanOrEqual(22)
  expect(added?.high).toBeGreaterThanOrEqual(22)
  expect(tableOf([comparison(25)])).toContain('| 2.1, 22 ms added |')
  expect(comparisonOf(figureWith({ max: 3 }), samples)).not.toHaveProperty('added')
})

test('the interval holds the ratio and is narrower than the scatter of the values', () => {
  const { low, high } = comparisonOf(figureWith({ max: 3 }), {
    ours: around(2),
    reference: around(1).toReversed(),
  })
  expect(low).toBeLessThanOrEqual(2)
  expect(high).toBeGreaterThanOrEqual(2)
  expect(high - low).toBeLessThan(0.1)
})

test('one value each makes a figure without an interval', () => {
  const comparison = comparisonOf(figureWith({ max: 0.05 }), { ours: [1], reference: [50] })
  expect(comparison).toMatchObject({ pairs: 1, ratio: 0.02, low: 0.02, high: 0.02, reached: 'yes' })
  expect(tableOf([comparison])).toContain('one value each')
})

test('both are measured in turn, each first in every other pair', async () => {
  const order: string[] = []
  const samples = await inPairs(
    3,
    () => order.push('ours'),
    () => order.push('reference'),
  )
  expect(samples).toEqual({ ours: [7, 10, 11], reference: [8, 9, 12] })
  expect(order.slice(6)).toEqual(['ours', 'reference', 'reference', 'ours', 'ours', 'reference'])
})

test('the table goes between the markers and nowhere else', () => {
  const page = 'before\n<!-- figures -->\nold\n<!-- /figures -->\nafter\n'
  expect(pageWith(page, 'new')).toBe('before\n<!-- figures -->\nnew\n<!-- /figures -->\nafter\n')
  expect(() => pageWith('no markers', 'new')).toThrow('no place')
})
