import { expect, test } from 'vitest'
import { definedFields } from '../../src/base/defined-fields.ts'

test('an absent field is absent, and what is merely empty stays', () => {
  const kept = definedFields({ a: undefined, b: null, c: 0, d: '', e: false, f: [] })
  expect(Object.keys(kept)).toEqual(['c', 'd', 'e', 'f'])
  expect(kept).toEqual({ c: 0, d: '', e: false, f: [] })
})
