import { expect, test } from 'vitest'
import { isIgnored } from '../../../src/child/lines/ignored-lines.ts'

test.each<[object, boolean]>([
  [{ type: 'keep_alive' }, true],
  [{ type: 'keep_alive', subtype: 'new' }, true],
  [{ type: 'system', subtype: 'hook_started' }, true],
  [{ type: 'system', subtype: 'new' }, false],
  [{ type: 'system', subtype: 7 }, false],
  [{ type: 'system' }, false],
  [{ type: 'new', subtype: 'hook_started' }, false],
  [{ type: 'new' }, false],
  [{ type: 7 }, false],
  [{ type: { toString: 'keep_alive' } }, false],
  [{}, false],
])('whether a line %j of no known kind is reported by other lines too', (json, ignored) => {
  expect(isIgnored(json)).toBe(ignored)
})
