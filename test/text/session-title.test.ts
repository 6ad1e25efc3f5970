import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { firstWords, folderAndId } from '../../src/text/session-title.ts'
import { codePoint } from '../rig/tools/code-point.ts'

test.each([
  ['Fix the tests.', 'Fix the tests.'],
  ['\n  Fix\n\tthe   tests.\n', 'Fix the tests.'],
  ['Check the formatting of everything below src, and say', 'Check the formatting of everything below …'],
  ['Check all the formatting of what is new: all of it', 'Check all the formatting of what is new …'],
  ['a'.repeat(40), 'a'.repeat(40)],
  ['a'.repeat(41), `${'a'.repeat(40)} …`],
  [`${'a'.repeat(39)}😀 b`, `${'a'.repeat(39)} …`],
  [' \n ', undefined],
  [[{ type: 'image' }, { type: 'text', text: 'What is this?' }, 7, null], 'What is this?'],
  [[{ type: 'image' }], undefined],
])('the first words of %j are %j', (content, words) => {
  expect(firstWords(content)).toBe(words)
})

test('whatever the prompt, its first words are one short line that it begins with', () => {
  fc.assert(
    fc.property(fc.string({ unit: codePoint, maxLength: 600 }), (prompt) => {
      const words = firstWords(prompt) ?? ''
      expect(words.length).toBeLessThanOrEqual(42)
      expect(words).not.toMatch(/[\n\r\t]|  /)
      expect(prompt.trim().replaceAll(/\s+/g, ' ').startsWith(words.replace(/ …$/, ''))).toBe(true)
    }),
  )
})

test.each([
  ['/home/me/app', 'app 0b0e8f0a'],
  ['/home/me/app/', 'app 0b0e8f0a'],
  ['/', '0b0e8f0a'],
  [undefined, '0b0e8f0a'],
  [`/${'a'.repeat(90)}`, `${'a'.repeat(40)} 0b0e8f0a`],
])('without any words a session in %s is %s', (workingDirectory, shown) => {
  expect(folderAndId({ id: '0b0e8f0a-1111-4222-8333-444455556666', workingDirectory })).toBe(shown)
})
