import { expect, test } from 'vitest'
import { exportRules } from '../../../src/rules/learning/settings-export.ts'
import type { Rule } from '../../../src/rules/rule.ts'

const allow = (conditions: Partial<Rule>): Rule => ({ id: 'a', effect: 'allow', ...conditions })
const deny = (conditions: Partial<Rule>): Rule => ({ id: 'd', effect: 'deny', because: 'No.', ...conditions })

/** What a rule is said as, or why it is not. */
function said(rule: Rule): readonly string[] {
  const { permissions, notSaid } = exportRules([rule])
  return [
    ...permissions.allow,
    ...permissions.ask,
    ...permissions.deny,
    ...notSaid.map(({ reason }) => `not: ${reason}`),
  ]
}

const BOTH = 'not: has several conditions, which Claude Code cannot say together'
const MIDDLE = 'not: has a wildcard that is not its last word'
const WILD = 'not: names tools by a wildcard'

test.each<[Partial<Rule>, string[]]>([
  [{ command: ['git push'] }, ['Bash(git push)']],
  [{ command: ['git push|pull *', 'make'] }, ['Bash(git push *)', 'Bash(git pull *)', 'Bash(make)']],
  [{ tool: ['Bash'], command: ['make'] }, ['Bash(make)']],
  [{ command: ['git * x'] }, [MIDDLE]],
  [{ command: ['git p* x'] }, [MIDDLE]],
  [{ command: ['make', 'a|p* *'] }, [MIDDLE]],
  [{ command: [String.raw`git a\ b`] }, ['not: has a word with special characters']],
  [
    { command: ['a|b|c|d|e 1|2|3|4'] },
    Array.from({ length: 20 }, () => expect.stringMatching(/^Bash\([a-e] [1-4]\)$/) as string),
  ],
  [{ command: ['a|b|c 1|2|3|4|5|6|7'] }, ['not: has too many alternatives']],
  [{ command: ['make'], path: ['.'] }, [BOTH]],
  [{ command: ['make'], host: ['a'] }, [BOTH]],
  [{ command: ['make'], mcp: { server: 'a' } }, [BOTH]],
  [{ command: ['make'], redirect: 'inside' }, ['not: has redirect, which Claude Code cannot say']],
  [{ command: ['make'], redirect: 'none' }, ['Bash(make)']],
  [{ mcp: { server: 'a' } }, ['mcp__a']],
  [{ mcp: { server: 'a', tool: ['b', 'c'] } }, ['mcp__a__b', 'mcp__a__c']],
  [{ mcp: { server: 'a*' } }, [WILD]],
  [{ mcp: { server: 'a', tool: ['b', 'c*'] } }, [WILD]],
  [{ mcp: { server: 'a' }, tool: ['x'] }, [BOTH]],
  [{ mcp: { server: 'a' }, path: ['x'] }, [BOTH]],
  [{ mcp: { server: 'a' }, host: ['x'] }, [BOTH]],
  [{ tool: ['WebSearch | Skill', 'Other'] }, ['WebSearch', 'Skill', 'Other']],
  [{ tool: ['Web*'] }, [WILD]],
  [
    { tool: ['WebFetch'], host: ['a.example', 'b.example'] },
    ['WebFetch(domain:a.example)', 'WebFetch(domain:b.example)'],
  ],
  [{ tool: ['WebFetch'], host: ['a.example', '*.b.example'] }, ['not: names hosts by a wildcard']],
  [{ tool: ['WebFetch', 'Other'], host: ['a'] }, [BOTH]],
  [{ tool: ['Other'], host: ['a'] }, [BOTH]],
  [{ tool: ['WebFetch'], host: ['a'], path: ['.'] }, [BOTH]],
  [{ host: ['a'] }, [BOTH]],
  [{ path: ['.'] }, ['not: leaves out names such as .git below its path, which Claude Code cannot say']],
  [{}, ['not: names no tool']],
])('%j', (conditions, expected) => {
  expect(said(allow(conditions))).toEqual(expected)
})

test.each<Partial<Rule>>([
  { folder: '/a' },
  { mode: ['plan'] },
  { caller: ['operator'] },
  { session: ['web'] },
  { tree: ['web'] },
  { expires: '2027-01-31T12:00:00Z' },
  { exact: { toolName: 'Bash', subject: 'ls' } },
  { turn: 1 },
  { answerers: ['person'] },
  { timeout: 60 },
])('a rule with %j says more than Claude Code can', (condition) => {
  const rule = { ...allow({ command: ['make'], ...condition }), effect: 'ask' } as const
  expect(said(rule)).toEqual([`not: has ${Object.keys(condition)[0]}, which Claude Code cannot say`])
})

test('a path that is refused is also found in commands, which Claude Code cannot say', () => {
  expect(said(deny({ path: ['/etc'] }))).toEqual([
    'not: also finds its path in commands, which Claude Code cannot say',
  ])
})

test('a rule that forbids is said as one that denies', () => {
  const { permissions } = exportRules([{ ...deny({ command: ['dd'] }), effect: 'forbid' }])
  expect(permissions).toEqual({ allow: [], ask: [], deny: ['Bash(dd)'] })
})

/** Whether the first rule is said before the second one. */
function isSaid(first: Partial<Rule>, second: Rule): boolean {
  return exportRules([allow(first), second]).permissions.allow.length > 0
}

test('a rule before a stricter one about the same is not said, because Claude Code would put the other first', () => {
  expect(isSaid({ command: ['git push'] }, deny({ command: ['git *'] }))).toBe(false)
  expect(isSaid({ command: ['git push'] }, deny({ command: ['npm *', '* push'] }))).toBe(false)
  expect(isSaid({ command: ['git push'] }, deny({ command: ['g* push'] }))).toBe(false)
  expect(isSaid({ command: ['git|npm push'] }, deny({ command: ['npm *'] }))).toBe(false)
  expect(isSaid({ command: ['git push'] }, deny({ tool: ['Bash'] }))).toBe(false)
  expect(isSaid({ mcp: { server: 'a', tool: ['b'] } }, deny({ mcp: { server: 'a' } }))).toBe(false)
  expect(isSaid({ mcp: { server: 'a' } }, deny({ tool: ['*'] }))).toBe(false)
  expect(isSaid({ command: ['make'] }, { ...allow({ command: ['make'] }), effect: 'ask' })).toBe(false)
})

test('a rule before one about something else, or one that is not stricter, is said', () => {
  expect(isSaid({ command: ['git push'] }, deny({ command: ['npm *'] }))).toBe(true)
  expect(isSaid({ command: ['git push'] }, deny({ mcp: { server: 'a' } }))).toBe(true)
  expect(isSaid({ command: ['git push'] }, deny({ tool: ['WebFetch'], host: ['a'] }))).toBe(true)
  expect(isSaid({ mcp: { server: 'a' } }, deny({ command: ['npm *'] }))).toBe(true)
  expect(isSaid({ mcp: { server: 'a' } }, deny({ mcp: { server: 'b' } }))).toBe(true)
  expect(isSaid({ mcp: { server: 'a' } }, deny({ tool: ['WebFetch'], host: ['a'] }))).toBe(true)
  expect(isSaid({ tool: ['WebFetch'], host: ['a'] }, deny({ command: ['npm *'] }))).toBe(true)
  expect(isSaid({ tool: ['WebFetch'], host: ['a'] }, deny({ mcp: { server: 'b' } }))).toBe(true)
  expect(isSaid({ command: ['git push'] }, allow({ command: ['git *'] }))).toBe(true)
  expect(exportRules([deny({ command: ['git *'] }), allow({ command: ['git push'] })]).notSaid).toEqual([])
})

test('what is not said is named with its id and its text', () => {
  expect(exportRules([allow({ command: ['git * x'] })]).notSaid[0]?.rule).toBe('a: allow command "git * x"')
})
