import { expect, test } from 'vitest'
import { LastLine } from '../../../src/command-line/follow/last-line.ts'
import { keysIn } from '../../../src/command-line/follow/terminal-keys.ts'

test.each([
  ['a', [{ text: 'a' }]],
  ['é日', [{ text: 'é' }, { text: '日' }]],
  ['\r', ['enter']],
  ['\u007F', ['backspace']],
  ['\u001B', ['escape']],
  ['\u0003', ['ctrl-c']],
  ['\u001B[A\u001B[B', ['up', 'down']],
  // Other arrows and function keys are not letters.
  ['\u001B[C\u001BOPx', [{ text: 'x' }]],
  ['\u001B[1;5Cy', [{ text: 'y' }]],
  ['\u0001\u0000', []],
])('%j', (text, keys) => {
  expect(keysIn(text)).toEqual(keys)
})

test('lines are printed above the last line, which is painted again after them', () => {
  let written = ''
  const stream = { columns: 20, write: (text: string) => ((written += text), true) }
  const screen = new LastLine(stream)
  screen.paint('> draft')
  screen.print(['one', 'two'])
  screen.print([])
  screen.paint('> draft')
  expect(written).toBe('\r\u001B[K> draft\r\u001B[Kone\r\ntwo\r\n> draft')
  written = ''
  screen.paint('0123456789abcdefghijklmnop')
  expect(written).toBe('\r\u001B[K…89abcdefghijklmnop')
})
