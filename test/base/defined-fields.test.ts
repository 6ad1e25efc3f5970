import { expect, test } from 'vitest'
import { definedFields } from '../../src/base/defined-fields.ts'

test('null and undefined fields are omitted, empty values stay', () => {
  const kept = definedFields({ a: undefined, b: null, c: 0, d: '', e: false, f: [] })
  expect(Object.keys(kept)).toEqual(['c', 'd', 'e', 'f'])
  expect(kept).toEqual({ c: 0, d: '', e: false, f: [] })
})
