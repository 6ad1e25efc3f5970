import { describe, expect, test } from 'vitest'
import { ORDINARY_COMMANDS } from '../../adversary/ordinary-commands.ts'
import { aContext, effectOn, rulesOf } from '../rules-rig.ts'
import { WAYS_BY_CODE } from './code-that-runs.ts'
import { EVERYDAY_LINES } from './everyday-lines.ts'
import { WAYS_BY_EVALUATION } from './evaluated-by-a-shell.ts'
import { WAYS_OF_GIT } from './options-of-git.ts'
import { WAYS_BY_OPTIONS } from './options-that-run.ts'
import { WAYS_BY_INPUT } from './read-by-a-program.ts'
import { WAYS_OF_SHELLS } from './shells-that-run.ts'
import { WAYS_BY_SUBCOMMANDS } from './subcommands-that-run.ts'
import { WAYS_BY_WRAPPERS } from './wrappers-that-run.ts'

const because = 'No.'
const strict = aContext({ harmlessIsAllowed: false })
const DENY = rulesOf([{ id: 'removals', effect: 'deny', command: 'rm *', because }])
const FORBID = rulesOf([], [{ id: 'removals', command: 'rm *', because }])
const ASK = rulesOf([{ id: 'removals', effect: 'ask', command: 'rm *' }])
const OTHER = rulesOf([{ id: 'other', effect: 'deny', command: 'zzz *', because }])

const WAYS = {
  'code of an interpreter': WAYS_BY_CODE,
  'evaluation by a shell': WAYS_BY_EVALUATION,
  'options of git': WAYS_OF_GIT,
  'options of other programs': WAYS_BY_OPTIONS,
  'what a program reads': WAYS_BY_INPUT,
  'shells of any name': WAYS_OF_SHELLS,
  'a subcommand': WAYS_BY_SUBCOMMANDS,
  'a program that runs its arguments': WAYS_BY_WRAPPERS,
}

describe.each(Object.entries(WAYS))('(asked for: 6) a command by %s', (_, lines) => {
  test.each(lines)('is refused or asked about: %j', (line) => {
    expect(['deny', 'ask']).toContain(effectOn(line, DENY, strict))
    expect(['forbid', 'ask']).toContain(effectOn(line, FORBID, strict))
    expect(effectOn(line, ASK, strict)).toBe('ask')
  })
})

test('(asked for: 6) what a session runs all day is not asked about because of a rule about another program', () => {
  const lines = [...ORDINARY_COMMANDS, ...EVERYDAY_LINES]
  expect(lines.filter((line) => effectOn(line, OTHER, strict) !== 'none')).toEqual([])
})

/** Rules that allow as much of a program as a rule may. */
const ALLOW = rulesOf(
  ['ls', 'cat', 'grep', 'head', 'git log', 'git status', 'npm test', 'make all'].map((start) => ({
    id: start.replace(' ', '-'),
    effect: 'allow',
    command: `${start} *`,
  })),
)

test('(asked for: 6) rules that allow other programs allow no such line, also joined with what they allow', () => {
  const allowed = Object.values(WAYS)
    .flat()
    .filter((line) => !/^(?:cat|npm test) /.test(line))
    .flatMap((line) => [line, `git status && ${line}`, `ls; ${line}`, `${line}\ngit status`])
    .filter((line) => effectOn(line, ALLOW, strict) === 'allow')
  expect(allowed).toEqual([])
})

test('[10] texts that make a reader of code go back are read in linear time: none of these ends otherwise', () => {
  for (const text of [
    ' ',
    '1',
    '/',
    '/a/,',
    's/',
    's/a/b/;',
    's/a/b/g ',
    'p ',
    'a\\',
    '{',
    '"',
    '| a',
    ') (',
    '[',
    '%s ',
    '!',
  ])
    for (const program of ['sed', 'awk', 'vim -c', 'python3 -c', 'make --eval', 'git -c'])
      for (const end of ['', '~', 'x'])
        expect(
          effectOn(`${program} '${text.repeat(Math.floor(15_000 / text.length))}${end}'`, DENY, strict),
        ).not.toBe('allow')
})
