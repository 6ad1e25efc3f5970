import { array, assert, constantFrom, oneof, property } from 'fast-check'
import { expect, test } from 'vitest'
import { echoed } from '../../../src/command-line/terminal/echoed-line.ts'
import { inputRow } from '../../../src/command-line/terminal/input-row.ts'
import { type Key, keysIn } from '../../../src/command-line/terminal/terminal-keys.ts'
import {
  lineAfterKey,
  lineOf,
  textOf,
  type TypedLine,
} from '../../../src/command-line/terminal/typed-line.ts'
import { visibleText } from '../../../src/text/visible-text.ts'
import { charactersOf, widthOf } from '../../../src/command-line/views/columns.ts'

const FAMILY = '👩‍👧'
const letters = (text: string): Key[] => Array.from(text, (letter) => ({ text: letter }))
const press = (line: TypedLine, ...keys: Key[]) => keys.reduce(lineAfterKey, line)
const at = (marked: string): TypedLine => {
  const [before = '', after = ''] = marked.split('|')
  return { before, after }
}

test.each<[string, string, string]>([
  ['one two|', '\u0015', '|'],
  ['one t|wo', '\u0015', '|wo'],
  ['one two  |', '\u0017', 'one |'],
  ['one t|wo', '\u0017', 'one |wo'],
  ['|one', '\u0017', '|one'],
  ['one t|wo', '\u000B', 'one t|'],
  ['one|', '\u0001', '|one'],
  ['|one', '\u0005', 'one|'],
  ['|one', '\u001B[F', 'one|'],
  ['one|', '\u001B[H', '|one'],
  ['one|', '\u001B[1~', '|one'],
  ['one|', '\u001B[D', 'on|e'],
  ['|one', '\u001B[D', '|one'],
  ['on|e', '\u001B[C', 'one|'],
  ['one|', '\u001BOC', 'one|'],
  ['o|ne', '\u001B[3~', 'o|e'],
  ['one|', '\u001B[3~', 'one|'],
  ['one two|', '\u001B[1;5D', 'one |two'],
  ['one| two', '\u001B[1;5C', 'one two|'],
  ['o|ne', '\u007F', '|ne'],
  ['o|ne', 'x', 'ox|ne'],
  // What a person sees as one character is one.
  [`a${FAMILY}|`, '\u007F', 'a|'],
  [`a|${FAMILY}`, '\u001B[3~', 'a|'],
  [`日${FAMILY}|`, '\u001B[D', `日|${FAMILY}`],
  [`日|本`, '\u001B[C', `日本|`],
  ['e\u0301|', '\u007F', '|'],
  // These do not edit.
  ['o|ne', '\r', 'o|ne'],
  ['o|ne', '\u001B[A', 'o|ne'],
  ['o|ne', '\u0003', 'o|ne'],
])('%j and %j make %j', (line, sent, after) => {
  expect(press(at(line), ...keysIn(sent))).toEqual(at(after))
})

const character = constantFrom('a', 'b', ' ', '日', 'é', FAMILY, '-').map((text): Key => ({ text }))
const edit = constantFrom<Key>(
  'backspace',
  'delete',
  'left',
  'right',
  'word-left',
  'word-right',
  'home',
  'end',
  'ctrl-u',
  'ctrl-k',
  'ctrl-w',
  'up',
)
const keys = array(oneof({ weight: 2, arbitrary: character }, edit), { maxLength: 25 })

/** The same by an array of characters and an index. */
function model(pressed: readonly Key[]): { text: string; cursor: number } {
  let line: string[] = []
  let cursor = 0
  const isSpace = (index: number) => line[index] === ' '
  const wordLeft = () => {
    let to = cursor
    while (to > 0 && isSpace(to - 1)) to -= 1
    while (to > 0 && !isSpace(to - 1)) to -= 1
    return to
  }
  const wordRight = () => {
    let to = cursor
    while (to < line.length && isSpace(to)) to += 1
    while (to < line.length && !isSpace(to)) to += 1
    return to
  }
  const remove = (from: number, to: number) => {
    line = [...line.slice(0, from), ...line.slice(to)]
    cursor = from
  }
  for (const key of pressed) {
    if (typeof key === 'object') {
      line.splice(cursor, 0, key.text)
      cursor += 1
    } else if (key === 'backspace') remove(Math.max(0, cursor - 1), cursor)
    else if (key === 'delete') line.splice(cursor, 1)
    else if (key === 'left') cursor = Math.max(0, cursor - 1)
    else if (key === 'right') cursor = Math.min(line.length, cursor + 1)
    else if (key === 'word-left') cursor = wordLeft()
    else if (key === 'word-right') cursor = wordRight()
    else if (key === 'home') cursor = 0
    else if (key === 'end') cursor = line.length
    else if (key === 'ctrl-u') remove(0, cursor)
    else if (key === 'ctrl-k') line = line.slice(0, cursor)
    else if (key === 'ctrl-w') remove(wordLeft(), cursor)
  }
  return { text: line.join(''), cursor: line.slice(0, cursor).join('').length }
}

test('any keys leave the line and the cursor where an array of characters has them', () => {
  assert(
    property(keys, (pressed) => {
      const line = press(lineOf(''), ...pressed)
      expect({ text: textOf(line), cursor: line.before.length }).toEqual(model(pressed))
    }),
  )
})

test('without repainting, a terminal that knows only backspace shows the line after each key', () => {
  assert(
    property(keys, (pressed) => {
      const cells: string[] = []
      let column = 0
      let line = lineOf('')
      for (const key of pressed) {
        const next = lineAfterKey(line, key)
        for (const part of charactersOf(echoed(line, next))) {
          if (part === '\b') column -= 1
          else for (let index = 0; index < widthOf(part); index++) cells[column++] = index === 0 ? part : ''
        }
        line = next
        expect(column).toBe(widthOf(line.before))
        expect(cells.join('').trimEnd()).toBe(textOf(line).trimEnd())
      }
    }),
  )
})

test('one row shows what stands around the cursor, and is never wider than the screen', () => {
  assert(
    property(keys, constantFrom(12, 20, 39), (pressed, width) => {
      const line = press(lineOf('one two three four '), ...pressed)
      const { row, cursor } = inputRow('why? ', line, { width, encode: (text) => text })
      expect(widthOf(row)).toBeLessThanOrEqual(width)
      expect(cursor).toBeLessThanOrEqual(widthOf(row))
      const last = charactersOf(visibleText(`why? ${line.before}`)).at(-1) ?? ''
      expect(row.includes(last)).toBe(true)
    }),
  )
})

test.each([
  ['short|', 'why? short', 10],
  ['sh|ort', 'why? short', 7],
  ['0123456789abcdefghijklmnop|', '…89abcdefghijklmnop', 19],
  ['|0123456789abcdefghijklmnop', 'why? 0123456789abc…', 5],
  ['0123456789|abcdefghijklmnop', '…? 0123456789abcde…', 13],
])('%j is shown as %j', (line, row, cursor) => {
  const shown = inputRow('why? ', at(line), { width: 19, encode: (text) => text })
  expect(shown).toEqual({ row, cursor })
})

test('keys of one line are typed in any order', () => {
  expect(textOf(press(lineOf(''), ...letters('nt safe'), 'home', 'right', ...letters('o')))).toBe('not safe')
})
