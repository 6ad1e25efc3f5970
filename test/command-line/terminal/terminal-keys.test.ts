import { expect, test } from 'vitest'
import { asciiText, isUtf8 } from '../../../src/command-line/terminal/character-set.ts'
import { keysIn } from '../../../src/command-line/terminal/terminal-keys.ts'
import { terminalLook } from '../../../src/command-line/terminal/terminal-look.ts'

test.each([
  ['a', [{ text: 'a' }]],
  ['é日', [{ text: 'é' }, { text: '日' }]],
  ['\r', ['enter']],
  ['\u007F', ['backspace']],
  ['\u001B', ['escape']],
  ['\u0003', ['ctrl-c']],
  ['\u001A', ['ctrl-z']],
  ['\u001B[A\u001B[B\u001BOA', ['up', 'down', 'up']],
  ['\u001B[5~\u001B[6~', ['page-up', 'page-down']],
  // Other arrows and function keys are not letters.
  ['\u001B[E\u001BOPx', [{ text: 'x' }]],
  ['\u001B[1;2Cy', [{ text: 'y' }]],
  ['\u0007\u0000', []],
])('%j', (text, keys) => {
  expect(keysIn(text)).toEqual(keys)
})

test.each([
  [{ LANG: 'en_US.UTF-8' }, true],
  [{ LANG: 'C.utf8' }, true],
  [{ LANG: 'en_US.UTF-8', LC_ALL: 'C' }, false],
  [{ LANG: 'C', LC_CTYPE: 'C.UTF-8' }, true],
  [{}, false],
])('%j reads UTF-8: %s', (env, expected) => {
  expect(isUtf8(env)).toBe(expected)
})

test('without UTF-8 everything is ASCII, and colours stay', () => {
  expect(asciiText('── a · b … ě日\u001B[1m')).toBe('-- a - b ~ \\u{11b}\\u{65e5}\u001B[1m')
})

test.each([
  [{ PLEXUS_ACCESSIBLE: '1' }, true],
  [{ PLEXUS_ACCESSIBLE: '0' }, false],
  [{ TERM: 'dumb' }, true],
  [{ TERM: 'xterm' }, false],
])('%j repaints nothing: %s', (env, isPlain) => {
  expect(terminalLook(env, (_, text) => text).isPlain).toBe(isPlain)
})
