import { expect, test } from 'vitest'
import { partsOfShortId, shortIdOf } from '../../src/approvals/short-id.ts'

test('a question has the name of its session, or the beginning of its id, and its number', () => {
  const id = '0b0e8f0a-1111-4222-8333-444455556666'
  expect(shortIdOf({ number: 3 }, { id, name: 'web' })).toBe('web.3')
  expect(shortIdOf({ number: 3 }, { id })).toBe('0b0e8f0a.3')
  expect(shortIdOf({ number: undefined }, { id, name: 'web' })).toBeUndefined()
})

test('a short id is taken apart at its last dot', () => {
  expect(partsOfShortId('web.3')).toEqual({ session: 'web', number: 3 })
  expect(partsOfShortId('a.b.12')).toEqual({ session: 'a.b', number: 12 })
  expect(partsOfShortId('two\nlines.123456789')).toEqual({ session: 'two\nlines', number: 123_456_789 })
})

test.each(['web', 'web.', '.3', 'web.0', 'web.03', 'web.3x', 'web.x', 'web.1234567890', 'web.-1', ''])(
  '%j is no short id',
  (text) => {
    expect(partsOfShortId(text)).toBeUndefined()
  },
)
