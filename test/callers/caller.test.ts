import { expect, test } from 'vitest'
import { callerIdOf } from '../../src/callers/caller.ts'

test.each([
  ['operator', 'operator', 'operator'],
  ['operator', 'another name', 'operator'],
  ['client', 'editor', 'client editor'],
  ['session', '5f0c7a52-9a3e-4a51-8d5e-0b8f4f1f2a10', 'session 5f0c7a52-9a3e-4a51-8d5e-0b8f4f1f2a10'],
] as const)(
  'the id of the %s %s is the same in every version, because sessions are stored with it',
  (kind, name, id) => {
    expect(callerIdOf(kind, name)).toBe(id)
  },
)
