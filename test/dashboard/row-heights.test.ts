import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { RowHeights } from '../../dashboard/src/transcript/row-heights.ts'

test('rows are as high as estimated until they are measured', () => {
  const rows = new RowHeights(10)
  rows.grow(3)
  rows.set(1, 30)
  expect([rows.count, rows.total, rows.before(1), rows.before(2)]).toEqual([3, 50, 10, 40])
  expect([-5, 0, 9, 10, 39, 40, 49, 50, 1_000].map((offset) => rows.indexAt(offset))).toEqual([
    0, 0, 0, 1, 1, 2, 2, 2, 2,
  ])
  expect(new RowHeights(10).indexAt(5)).toBe(0)
})

type Change = { readonly grow: number } | { readonly index: number; readonly height: number }

const change: fc.Arbitrary<Change> = fc.oneof(
  fc.record({ grow: fc.nat({ max: 20 }) }),
  fc.record({ index: fc.nat({ max: 100 }), height: fc.nat({ max: 200 }) }),
)

test('whatever grows and is measured in whatever order, places are the sums of heights', () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 60 }), fc.nat({ max: 20_000 }), (changes, offset) => {
      const [rows, plain]: [RowHeights, number[]] = [new RowHeights(7), []]
      for (const each of changes) {
        if ('grow' in each) {
          rows.grow(plain.length + each.grow)
          plain.push(...Array.from({ length: each.grow }, () => 7))
        } else if (each.index < plain.length) {
          rows.set(each.index, each.height)
          plain[each.index] = each.height
        }
      }
      const sums = [...plain.keys(), plain.length].map((end) =>
        plain.slice(0, end).reduce((a, b) => a + b, 0),
      )
      expect(sums.map((_, index) => rows.before(index))).toEqual(sums)
      if (plain.length === 0) return
      const index = rows.indexAt(offset)
      // A row without height covers no place, unless it is the last.
      expect(sums[index]).toBeLessThanOrEqual(offset)
      expect(index === plain.length - 1 || (sums[index + 1] ?? 0) > offset).toBe(true)
    }),
  )
})
