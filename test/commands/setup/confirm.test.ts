import { expect, test } from 'vitest'
import { answerOf } from '../../../src/commands/setup/confirm.ts'
import { UNREAD_MS } from '../../../src/command-line/follow/follow-state.ts'

test.each([
  [{ text: 'y' }, true],
  [{ text: 'Y' }, true],
  [{ text: 'n' }, false],
  ['enter', false],
  ['escape', false],
  ['ctrl-c', false],
  [{ text: 'x' }, undefined],
  ['up', undefined],
] as const)('the key %j answers %j', (key, answer) => {
  expect(answerOf(key, UNREAD_MS)).toBe(answer)
})

test('a key from before the question could be read answers nothing, but Ctrl-C ends it', () => {
  expect(answerOf({ text: 'y' }, UNREAD_MS - 1)).toBeUndefined()
  expect(answerOf('enter', 0)).toBeUndefined()
  expect(answerOf('ctrl-c', 0)).toBe(false)
})
