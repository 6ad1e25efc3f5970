import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { globMatches, globOf } from '../../src/rules/paths/glob.ts'
import { commandPatternOf, patternMatches } from '../../src/rules/command-pattern.ts'
import { aContext, effectOn, rulesOf } from './rules-rig.ts'

/** `npm run test:long` tries at least 100,000. */
const RUNS = process.env['PLEXUS_LONG'] === undefined ? 1_500 : 100_000
/** For the long run on a busy machine; the usual one takes a second. */
const LONG_MS = 600_000

const rules = rulesOf([
  { id: 'git', effect: 'allow', command: 'git status|log|diff *' },
  { id: 'npm', effect: 'allow', command: ['npm test *', 'npm run build|lint'] },
  { id: 'tsc', effect: 'allow', command: 'tsc --noEmit', redirect: 'inside' },
])
const nothingHarmless = aContext({ harmlessIsAllowed: false })

const word = fc.oneof(
  fc.constantFrom('a', '-p', '--stat', "'x y'", '"x y"', String.raw`a\ b`, "$'a\\n'", 'HEAD~1', 'x.ts', '""'),
  // No other option: a star covers none that runs a program.
  fc.stringMatching(/^[a-z0-9._/][a-z0-9._/-]{0,7}$/),
)
const allowed = fc
  .tuple(fc.constantFrom('git status', 'git log', 'git diff', 'npm test'), fc.array(word, { maxLength: 4 }))
  .map(([start, words]) => [start, ...words].join(' '))
const other = fc.oneof(
  fc.constantFrom(
    'make',
    'rm -r x',
    './run',
    'git push',
    'npm run other',
    'env git status',
    'sh -c "git status"',
  ),
  fc.constantFrom(
    'x=1',
    'x=1 git status',
    '$x',
    '(git status',
    '! make',
    'time make',
    'git status > x',
    '{ make; }',
  ),
  fc
    .stringMatching(/^[a-z]{1,4}( [a-z$`"'(){};|&<>*?!~=-]{0,4}){0,2}$/)
    .filter((text) => !/^(git|npm|tsc|cd) ?/.test(text)),
)
const operator = fc.constantFrom(
  ';',
  '&&',
  '||',
  '|',
  '|&',
  '&',
  '\n',
  ' ; ',
  ' && ',
  ' | ',
  '\n\n',
  ' &\n',
  ';\\\n',
  '&&\n',
)
const around = fc.constantFrom<(line: string, more: string) => string>(
  (line, more) => `${line} $(${more})`,
  (line, more) => `${line} "$(${more})"`,
  (line, more) => `${line} \`${more}\``,
  (line, more) => `${line} <(${more})`,
  (line, more) => `${line} <<EOF\n$(${more})\nEOF`,
  (line, more) => `(${line}; ${more})`,
  (line, more) => `{ ${line}; ${more}; }`,
  (line, more) => `if ${line}; then ${more}; fi`,
  (line, more) => `for x in 1; do ${line}; ${more}; done`,
  (line, more) => `x() { ${more}; }; ${line}`,
  (line, more) => `${line} > "$(${more})"`,
)

test(
  '[4] a command that the rules allow is not allowed once another is joined to it, by any operator (asked for: 6)',
  () => {
    fc.assert(
      fc.property(allowed, operator, other, fc.boolean(), (line, join, more, first) => {
        expect(effectOn(line, rules, nothingHarmless)).toBe('allow')
        const joined = first ? `${more}${join}${line}` : `${line}${join}${more}`
        expect(effectOn(joined, rules, nothingHarmless)).not.toBe('allow')
      }),
      { numRuns: RUNS },
    )
  },
  LONG_MS,
)

test(
  '[4] nor once it stands in or around anything else, even another command that they allow',
  () => {
    fc.assert(
      fc.property(allowed, around, fc.oneof(other, allowed), (line, wrap, more) => {
        fc.pre(!more.includes('EOF'))
        expect(effectOn(wrap(line, more), rules, nothingHarmless)).not.toBe('allow')
      }),
      { numRuns: RUNS },
    )
  },
  LONG_MS,
)

/** The same in time that grows with the square: what each star stands for is tried at every place. */
function slowly(pattern: string, text: string): boolean {
  if (pattern === '') return text === ''
  if (pattern.startsWith('*'))
    return slowly(pattern.slice(1), text) || (text !== '' && slowly(pattern, text.slice(1)))
  return text !== '' && pattern[0] === text[0] && slowly(pattern.slice(1), text.slice(1))
}

test(
  '[10] a star is matched as by trying every place',
  () => {
    const few = fc.stringMatching(/^[ab*]{0,7}$/)
    fc.assert(
      fc.property(few, fc.stringMatching(/^[ab]{0,8}$/), (pattern, text) => {
        expect(globMatches(globOf(pattern), text)).toBe(slowly(pattern, text))
        const [spaced, words] = [pattern.split('').join(' '), text.split('')]
        expect(patternMatches(commandPatternOf(spaced), words)).toBe(slowly(pattern, text))
      }),
      { numRuns: RUNS },
    )
  },
  LONG_MS,
)

test('[10] a pattern of stars and a long text take no time to speak of', () => {
  const glob = globOf(`${'*a'.repeat(250)}b`)
  expect(globMatches(glob, 'a'.repeat(1_000_000))).toBe(false)
  const pattern = commandPatternOf(`x ${'* a '.repeat(100)}b`)
  expect(patternMatches(pattern, ['x', ...Array.from({ length: 100_000 }, () => 'a')])).toBe(false)
})
