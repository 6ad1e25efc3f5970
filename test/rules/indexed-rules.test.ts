import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { compileRules, type RuleList } from '../../src/rules/compiled-rules.ts'
import { decideByList } from '../../src/rules/decide.ts'
import type { Rule } from '../../src/rules/rule.ts'
import { aContext, bash } from './rules-rig.ts'

/** `npm run test:long` tries at least 100,000. */
const RUNS = process.env['PLEXUS_LONG'] === undefined ? 500 : 100_000

const LONG_MS = 600_000

/** The case of letters counts for a rule that allows, and not for where it is found. */
const CAPITAL = { id: 'a' as const, effect: 'allow' as const, command: ['Git push'] }

/** The same rules without an index and without any short cut: every rule is compared with every command, condition by condition. */
function naive({ rules, narrowsCommands }: RuleList): RuleList {
  const compiled = rules.map((rule) => ({ ...rule, commandOnly: false }))
  return {
    rules: compiled,
    narrowsCommands,
    hasWholeCalls: true,
    byProgram: new Map(),
    byNoProgram: [compiled.filter(({ patterns }) => patterns.length > 0)],
    byTool: new Map(),
    byNoTool: compiled.filter(({ patterns }) => patterns.length === 0),
  }
}

const program = fc.constantFrom('git', 'Git', './git', 'npm', 'rm', 'sh', 'xargs', 'git|npm', 'g*', '*')
const second = fc.constantFrom('push', 'status', 'test', '-c', 'push|test', 'p*', '*', 'Push', '')
const pattern = fc
  .tuple(program, second, fc.constantFrom('', '*', 'a', '* -f *', 'a|b *'))
  .map((words) => words.filter((text) => text !== '').join(' '))
const rule = fc.record(
  {
    id: fc.constantFrom('a', 'b', 'c'),
    effect: fc.constantFrom<Rule['effect']>('allow', 'deny', 'ask', 'forbid'),
    command: sometimes(fc.array(pattern, { minLength: 1, maxLength: 3 }), 4),
    tool: sometimes(fc.constantFrom<string[]>(['Bash'], ['B*'], ['Bash|Read'], ['Read', 'Monitor'])),
    session: sometimes(fc.constantFrom<string[]>(['web'], ['other'])),
    mode: sometimes(fc.constantFrom<string[]>(['default'], ['plan'])),
    folder: sometimes(fc.constantFrom('/code/web', '/work')),
    path: sometimes(fc.constantFrom<string[]>(['src'], ['~/.ssh'])),
    turn: sometimes(fc.constantFrom(1, 2)),
    expires: sometimes(fc.constantFrom('2026-10-01T00:00:00Z', '2026-12-01T00:00:00Z')),
    because: sometimes(fc.constantFrom('No.', 'Yes.')),
  },
  { requiredKeys: ['id', 'effect'] },
)

/** Rules that have only a command are the ones with a short cut, so there must be many of them. */
function sometimes<T>(value: fc.Arbitrary<T>, often = 1): fc.Arbitrary<T | undefined> {
  return fc.oneof({ weight: often, arbitrary: value }, { weight: 4, arbitrary: fc.constant(undefined) })
}

const word = fc.constantFrom(
  'push',
  'status',
  'test',
  'a',
  '-f',
  '"a b"',
  '$x',
  '*.ts',
  'src/x',
  '> out',
  '-c',
)
const simple = fc
  .tuple(
    fc.constantFrom(
      'git',
      'GIT',
      'Git',
      './git',
      '/usr/bin/git',
      'npm',
      'rm',
      'ls',
      'sh -c',
      'xargs git',
      '$x',
      'cd',
    ),
    fc.array(word, { maxLength: 3 }),
  )
  .map(([name, words]) => [name, ...words].join(' '))
const line = fc
  .tuple(
    simple,
    fc.array(fc.tuple(fc.constantFrom(' && ', '; ', ' | ', ' & ', '\n'), simple), { maxLength: 2 }),
  )
  .map(([first, more]) => first + more.flat().join(''))
const call = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(line, fc.constantFrom('/code/web', '/work', undefined)) },
  { weight: 1, arbitrary: fc.constant(['echo `git push`', '/code/web'] as const) },
)

test(
  '[10] a call is decided as by reading every rule, whatever the rules and the call are',
  { timeout: LONG_MS },
  () => {
    const some = fc.array(rule, { minLength: 1, maxLength: 12 })
    const toolName = fc.constantFrom('Bash', 'Bash', 'Bash', 'Monitor', 'Read')
    fc.assert(
      fc.property(some, call, toolName, fc.boolean(), (rules, [text, cwd], tool, harmlessIsAllowed) => {
        const list = compileRules(rules)
        const context = aContext({ harmlessIsAllowed, turn: 1 })
        const asked = { ...bash(text, cwd), cwd, toolName: tool }
        const verdict = decideByList(asked, context, list, 'rules')
        expect(verdict).toEqual(decideByList(asked, context, naive(list), 'rules'))
      }),
      { numRuns: RUNS, examples: [[[CAPITAL], ['Git push', '/code/web'], 'Bash', false]] },
    )
  },
)
