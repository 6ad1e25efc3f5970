import { expect, test } from 'vitest'
import { isClientName } from '../../src/callers/client-name.ts'

test.each(['a', 'Z9', 'ci', 'my.client_2-x', '7', `a${'b'.repeat(63)}`, 'operators', 'an-owner'])(
  '%s is a name for a client',
  (name) => {
    expect(isClientName(name)).toBe(true)
  },
)

test.each([
  '',
  '.a',
  '-a',
  '_a',
  'a b',
  'a\n',
  ' a',
  'a/b',
  'é',
  'aé',
  `a${'b'.repeat(64)}`,
  'operator',
  'Owner',
  'PERSON',
  'session',
  '3f1b6a52-9d55-4c1e-8f0e-1f6a7d1c2b3a',
  '3F1B6A52-9D55-4C1E-8F0E-1F6A7D1C2B3A',
])('%j is none: it is no plain word, or means somebody else', (name) => {
  expect(isClientName(name)).toBe(false)
})

test.each([
  'x3f1b6a52-9d55-4c1e-8f0e-1f6a7d1c2b3a',
  '3f1b6a52-9d55-4c1e-8f0e-1f6a7d1c2b3ax',
  '3f1b6a5-9d55-4c1e-8f0e-1f6a7d1c2b3a',
  '3f1b6a52-9d55-4c1e-1f6a7d1c2b3a',
  '3f1b6a52-9d5-4c1e-8f0e-1f6a7d1c2b3a',
  '3f1b6a52-9d55-4c1e-8f0e-1f6a7d1c2b3',
  '3g1b6a52-9d55-4c1e-8f0e-1f6a7d1c2b3a',
])('%s is no id of a session, so it is a name', (name) => {
  expect(isClientName(name)).toBe(true)
})
