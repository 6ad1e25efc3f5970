import { array, assert, integer, property, string, tuple } from 'fast-check'
import stringWidth from 'string-width'
import { expect, test } from 'vitest'
import { alignedLines, cut, packed, wrapped } from '../../../src/command-line/views/columns.ts'

const paint = (text: string, row: number) => `<${row}${text}>`

test('columns are aligned by what a terminal shows, wide characters too', () => {
  const lines = alignedLines(
    [
      { title: 'NAME', cells: ['web', '日本'] },
      { title: 'COST', cells: ['$1.00', '-'], right: true },
      { title: 'FOLDER', cells: ['~/a', '~/b'] },
    ],
    80,
  )
  expect(lines).toEqual(['NAME   COST  FOLDER', 'web   $1.00  ~/a', '日本      -  ~/b'])
})

test('a flexible column is cut off first, and an ellipsis shows it', () => {
  const columns = [
    { title: 'FOLDER', cells: ['/a/very/long/folder'], flexible: true },
    { title: 'NAME', cells: ['quite-long-name'] },
  ]
  expect(alignedLines(columns, 26)).toEqual(['FOLDER     NAME', '/a/very/…  quite-long-name'])
})

test('a cell is coloured after it is cut and padded', () => {
  expect(
    alignedLines(
      [
        { title: 'A', cells: ['x'], paint },
        { title: 'B', cells: ['y'] },
      ],
      80,
    ),
  ).toEqual(['A  B', '<0x>  y'])
})

test('no line is wider than the terminal, whatever is in it', () => {
  assert(
    property(
      array(tuple(string({ unit: 'grapheme' }), string({ unit: 'grapheme' }), string()), {
        minLength: 1,
        maxLength: 5,
      }),
      integer({ min: 24, max: 120 }),
      (rows, width) => {
        const column = (at: 0 | 1 | 2) => ({
          title: 'T',
          cells: rows.map((row) => row[at]),
          flexible: at === 2,
        })
        for (const line of alignedLines([column(0), column(1), column(2)], width))
          expect(stringWidth(line)).toBeLessThanOrEqual(width)
      },
    ),
  )
})

test('a text is cut between characters that belong together', () => {
  expect(cut('abcdef', 6)).toBe('abcdef')
  expect(cut('abcdefg', 6)).toBe('abcde…')
  expect(cut('日本語', 4)).toBe('日…')
  expect(cut('👩‍👩‍👧‍👦ab', 3)).toBe('👩‍👩‍👧‍👦…')
})

test.each([
  ['short', 10, ['short']],
  ['one two three', 8, ['one two ', '… three']],
  ['abcdefghijkl', 5, ['abcde', '… fgh', '… ijk', '… l']],
  ['  indented line of text', 12, ['  indented ', '  … line of ', '  … text']],
  ['日本語日本語', 5, ['日本', '… 語', '… 日', '… 本', '… 語']],
])('%j in rows of %i', (text, width, rows) => {
  expect(wrapped(text, width)).toEqual(rows)
})

test('a very long line costs no more than the rows that are asked for', () => {
  expect(wrapped('x'.repeat(1_000_000), 10, 2)).toEqual(['x'.repeat(10), `… ${'x'.repeat(8)}`])
})

test('words side by side are never broken', () => {
  expect(packed(['[a] one', '[b] two', '[c] three'], 18)).toEqual(['[a] one  [b] two', '[c] three'])
  expect(packed(['[a] much too long'], 8)).toEqual(['[a] muc…'])
  expect(packed([], 8)).toEqual([])
})
