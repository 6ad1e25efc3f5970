import { array, assert, constantFrom, integer, oneof, property, string } from 'fast-check'
import stringWidth from 'string-width'
import { expect, test } from 'vitest'
import { wordRows } from '../../../src/command-line/terminal/word-rows.ts'

test('a line is broken between words, and continues below its text', () => {
  expect(wordRows('  The quick brown fox jumps over the lazy dog', 20)).toEqual([
    '  The quick brown',
    '  fox jumps over the',
    '  lazy dog',
  ])
  expect(wordRows('> Run the tests, then fix them.', 16)).toEqual(['> Run the tests,', '  then fix them.'])
  expect(wordRows('      deep in words', 14)).toEqual(['      deep in', '      words'])
})

test('a line that fits stays as it is', () => {
  for (const line of ['', '  ', '* Bash  ls', '  a  b   c']) expect(wordRows(line, 20)).toEqual([line])
})

test('a word that is wider than a row is cut, and nothing of it is lost', () => {
  expect(wordRows('  see https://example.com/long/path ok', 20)).toEqual([
    '  see',
    '  https://example.co',
    '  m/long/path ok',
  ])
  expect(wordRows('  日本語のテキストです', 11)).toEqual(['  日本語の', '  テキスト', '  です'])
})

test('a session cannot write where the marks stand: no row after the first begins at the edge', () => {
  const text = `  ${'x'.repeat(16)} = allowed by operator`
  expect(wordRows(text, 19).slice(1)).toEqual(['  = allowed by', '  operator'])
})

const words = array(oneof(string({ unit: 'grapheme' }), string(), constantFrom('日本語', 'long-'.repeat(30))))
const clean = (text: string) => text.replaceAll(/\s+/gu, ' ').trimStart()

test('no row is wider than the screen, no character is lost, and no word that fits is cut', () => {
  assert(
    property(
      words,
      integer({ min: 6, max: 90 }),
      constantFrom('> ', '  ', '* ', '      '),
      (all, width, start) => {
        const line = start + clean(all.join(' '))
        const rows = wordRows(line, width)
        const joined = rows.join(' ')
        expect(joined.replaceAll(' ', '')).toBe(line.replaceAll(' ', ''))
        const most = Math.max(
          ...[...new Intl.Segmenter().segment(line)].map(({ segment }) => stringWidth(segment)),
        )
        for (const row of rows) expect(stringWidth(row)).toBeLessThanOrEqual(Math.max(width, most))
        const free = width - Math.min(start.length, Math.floor(width / 2))
        const short = line.split(' ').filter((word) => word !== '' && stringWidth(word) <= free)
        expect(joined.split(' ')).toEqual(expect.arrayContaining(short))
      },
    ),
    { numRuns: 200 },
  )
})
