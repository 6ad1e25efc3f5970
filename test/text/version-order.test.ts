import { expect, test } from 'vitest'
import { isAtLeast, isOlder } from '../../src/text/version-order.ts'

/** As semver orders them. */
const ORDER = [
  '0.1.0',
  '0.9.9',
  '0.10.0-alpha',
  '0.10.0-alpha.1',
  '0.10.0-alpha.2',
  '0.10.0-alpha.10',
  '0.10.0-alpha.beta',
  '0.10.0-beta',
  '0.10.0-rc.1',
  '0.10.0',
  '1.0.0',
  '10.0.0',
]

test('every version is older than those after it, and than no other', () => {
  for (const [at, one] of ORDER.entries())
    for (const [other, than] of ORDER.entries())
      expect([one, than, isOlder(one, than)]).toEqual([one, than, at < other])
})

test('build metadata does not change the order', () => {
  expect(isOlder('1.0.0+linux', '1.0.0')).toBe(false)
  expect(isOlder('1.0.0', '1.0.0+linux')).toBe(false)
})

test.each(['', 'latest', '1.0', '1.0.0.0'])('%j is not a version, and not older', (text) => {
  expect(isOlder(text, '1.0.0')).toBe(false)
  expect(isOlder('0.1.0', text)).toBe(false)
})

test('a version is at least another if it is not older, and nothing else is', () => {
  for (const [index, version] of ORDER.entries())
    expect(ORDER.filter((minimum) => isAtLeast(version, minimum))).toEqual(ORDER.slice(0, index + 1))
  expect(['', 'latest', '2.1'].map((text) => isAtLeast(text, '2.1.0'))).toEqual([false, false, false])
})
