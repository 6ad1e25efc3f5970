import { isDeepStrictEqual } from 'node:util'
import { assert, jsonValue, property } from 'fast-check'
import { expect, test } from 'vitest'
import { isSameJson } from '../../src/text/same-json.ts'

test('it is equal where Node says so, for any two values of JSON', () => {
  assert(
    property(jsonValue(), jsonValue(), (a, b) => {
      const copy: unknown = JSON.parse(JSON.stringify(a))
      expect(isSameJson(a, copy)).toBe(true)
      expect(isSameJson(a, b)).toBe(
        isDeepStrictEqual(JSON.parse(JSON.stringify(a)), JSON.parse(JSON.stringify(b))),
      )
    }),
  )
})

test.each([
  [{ a: 1, b: [2] }, { b: [2], a: 1 }, true],
  [{ a: 1 }, { a: 1, b: undefined }, true],
  [{ a: 1 }, { a: 1, b: null }, false],
  [[1, 2], [2, 1], false],
  [[], {}, false],
  ['1', 1, false],
])('%j and %j', (a, b, isSame) => {
  expect(isSameJson(a, b)).toBe(isSame)
})
