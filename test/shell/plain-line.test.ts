import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { plainCommands } from '../../src/shell/lines/plain-line.ts'
import { simpleCommands } from '../../src/shell/lines/simple-commands.ts'

/** `npm run test:long` tries at least 100,000. */
const RUNS = process.env['PLEXUS_LONG'] === undefined ? 2_000 : 100_000
const LONG_MS = 600_000

const RESERVED =
  'if then else elif fi do done case esac while until for select function in time coproc [[ ]] { } !'.split(
    ' ',
  )

const plainWord = fc.oneof(
  { weight: 6, arbitrary: fc.stringMatching(/^[\w.,:/@%+-]{1,6}$/) },
  { weight: 1, arbitrary: fc.stringMatching(/^"[\w .,:/@%+=()-]{0,6}"$/) },
  { weight: 1, arbitrary: fc.stringMatching(/^'[\w .,:/@%+=()-]{0,6}'$/) },
  { weight: 2, arbitrary: fc.constantFrom('git', 'cd', 'export', 'let', 'test', 'declare', '-') },
)
const anyWord = fc.oneof(
  plainWord,
  fc.constantFrom(...RESERVED),
  fc.stringMatching(/^[\w"'=$`\\(){}<>*?~#!&|; -]{1,5}$/),
)
const plainJoint = fc.constantFrom(' ', ' ', ' ', '  ', ' && ', '&&', ' || ', '; ', ';', ' | ', '|')
const anyJoint = fc.oneof(plainJoint, fc.constantFrom('', ' & ', '|&', ';;', '\n'))
const line = fc.oneof(lineOf(plainWord, plainJoint), lineOf(anyWord, anyJoint))

function lineOf(word: fc.Arbitrary<string>, joint: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return fc
    .tuple(word, fc.array(fc.tuple(joint, word), { maxLength: 6 }))
    .map(([first, more]) => first + more.flat().join(''))
}

test(
  'a plain line is read as parsing it reads it, whatever is in it',
  () => {
    let plain = 0
    fc.assert(
      fc.property(line, (text) => {
        const commands = plainCommands(text)
        if (!commands) return
        plain += 1
        // With a line break at its end the same line is parsed.
        expect(plainCommands(`${text}\n`)).toBeUndefined()
        expect(simpleCommands(`${text}\n`)).toEqual(commands)
      }),
      { numRuns: RUNS },
    )
    expect(plain).toBeGreaterThan(RUNS / 20)
  },
  LONG_MS,
)

const firsts = (text: string) => plainCommands(text)?.map(({ name, first }) => (first ? name : `(${name})`))

test('in a list and in a pipe a command is the first one or is not', () => {
  expect(firsts('a && b; c | d && e; f')).toEqual(['a', '(b)', '(c)', '(d)', '(e)', 'f'])
  expect(firsts('a || b "x y" | c')).toEqual(['a', '(b)', '(c)'])
})

test.each([
  '',
  ' ',
  'a;',
  '; a',
  'a &',
  'a |& b',
  'a & b',
  'a ;; b',
  'a && && b',
  'if a',
  'a && time b',
  '"a" b',
  'a "b"c',
  'a b"c"',
  "a 'b",
  'a $b',
  'a "$b"',
  'a b=c',
  'a\tb',
  'a\nb',
  'a #b',
  'a ~',
  'a é',
  'a "é"',
])('%j is not plain', (text) => {
  expect(plainCommands(text)).toBeUndefined()
})
