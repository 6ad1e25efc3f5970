import { assert, integer, json, property, string } from 'fast-check'
import { expect, test } from 'vitest'
import { jsonFault, jsonPlace } from '../../src/text/json-places.ts'

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

test.each([
  ['{"a": 1,}', 1, 9],
  ['{\n  "a": 1\n  "b": 2\n}', 3, 3],
  ['{"a": [1, 2', 1, 12],
  ['', 1, 1],
  ["{'a': 1}", 1, 2],
  ['{"a": 1} x', 1, 10],
  ['[1 2]', 1, 4],
  ['{"a" 1}', 1, 6],
  ['[}', 1, 2],
  ['{"a": tru}', 1, 7],
  ['01', 1, 2],
  ['["a\tb"]', 1, 2],
])('%j is JSON up to line %d, column %d', (text, line, column) => {
  expect(jsonFault(text)).toEqual({ line, column })
})

test('a fault is found exactly where a text is not JSON', () => {
  assert(
    property(json(), integer({ min: 0, max: 200 }), string({ maxLength: 2 }), (whole, at, other) => {
      expect(jsonFault(whole)).toBeUndefined()
      const changed = whole.slice(0, at) + other + whole.slice(at + 1)
      expect(jsonFault(changed) === undefined).toBe(isJson(changed))
    }),
    { numRuns: 300 },
  )
})

test('a value is found by its path, else the one around it', () => {
  const text = '{\n "v": 1,\n "rules": [\n  {"id": "a"},\n  {"id": "b", "effect": "alow"}\n ]\n}'
  expect(jsonPlace(text, 'rules.1.effect')).toEqual({ line: 5, column: 25 })
  expect(jsonPlace(text, 'rules.0.effect')).toEqual({ line: 4, column: 3 })
  expect(jsonPlace(text, 'forbid')).toBeUndefined()
})
