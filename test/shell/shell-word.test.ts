import * as fc from 'fast-check'
import { parse, type Word } from 'unbash'
import { expect, test } from 'vitest'
import { isFixed, literal } from '../../src/shell/lines/shell-word.ts'

const RUNS = process.env['PLEXUS_LONG'] === undefined ? 2_000 : 100_000
const LONG_MS = 600_000

/** The same by the parts of the word alone, as the parser reads them. */
function byParts({ text, value, parts = [] }: Word) {
  if (/^[~=]/.test(text) || !parts.every(isFixed)) return undefined
  const types = new Set(parts.map(({ type }) => type))
  const pattern = types.has('Glob')
  if (pattern && [...types].some((type) => type !== 'Glob' && type !== 'Literal')) return undefined
  return { text: value, pattern }
}

/** The words after the program, if the line parses. */
function wordsOf(line: string): Word[] {
  const script = parse(line)
  if (script.errors) return []
  return script.commands
    .flatMap(({ command }) => (command.type === 'Command' ? command.args : []))
    .flatMap((word) => (word.type === 'Word' ? [word] : []))
}

const piece = fc.oneof(
  fc.constantFrom('"', "'", '\\', '$', '`', '~', '=', '*', '?', '[a]', '{a,b}', '$?', '$x', '\\\n', '!', '#'),
  fc.constantFrom('"a b"', "'a b'", '"(a)"', "''", '""', "$'a'", '$"a"', '"$x"', '"a\\"b"', '\t', '\r', 'é'),
  fc.stringMatching(/^[a-zA-Z0-9_ .,:/@%+=()-]{0,6}$/),
)
const line = fc
  .tuple(fc.constantFrom('', '"', "'"), fc.array(piece, { maxLength: 4 }))
  .map(([quote, pieces]) => `x ${quote}${pieces.join('')}${quote}`)

test('a plain word is read as by its parts', { timeout: LONG_MS }, () => {
  expect(wordsOf('x a "b c"').map(literal)).toEqual(['a', 'b c'].map((text) => ({ text, pattern: false })))
  fc.assert(
    fc.property(line, (text) => {
      expect(wordsOf(text).map(literal)).toEqual(wordsOf(text).map(byParts))
    }),
    { numRuns: RUNS },
  )
})
