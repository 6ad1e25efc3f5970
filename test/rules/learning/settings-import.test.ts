import { expect, test } from 'vitest'
import { importSettings } from '../../../src/rules/learning/settings-import.ts'
import { ruleText } from '../../../src/rules/rule-text.ts'

/** What one rule of Claude Code becomes: the text of ours, or why there is none. */
function becomes(effect: 'allow' | 'ask' | 'deny', written: string): string {
  const { rules, notSaid } = importSettings(JSON.stringify({ permissions: { [effect]: [written] } }))
  const [rule] = rules
  if (rule) return ruleText(rule).replace(`${effect} `, '')
  return `not: ${notSaid[0]?.reason}`
}

const READ = 'tool "Read|NotebookRead|Grep|Glob|LS"'
const EDIT = 'tool "Edit|Write|MultiEdit|NotebookEdit"'
const MORE = 'not: is more than the words of one command'
const OTHER = 'not: is about a part of a call that our rules do not compare'

test.each([
  ['Bash(git  status)', 'command "git status"'],
  [' Bash( git status ) ', 'command "git status"'],
  ['Bash(npm run a:*)', 'command "npm run a *"'],
  ['Bash(npm test *)', 'command "npm test *"'],
  ['Bash(a:* b)', 'not: has a wildcard that is not its last word'],
  ['Bash(gi*)', 'not: has a wildcard that is not its last word'],
  ['Bash(* x)', 'not: has a wildcard that is not its last word'],
  ['Bash(*)', 'not: allows Bash without command, and so any command'],
  ['Bash(a; b)', MORE],
  ['Bash(a $x)', MORE],
  ["Bash(a 'b')", MORE],
  ['Bash(a > b)', MORE],
  ['Bash(a\nb)', MORE],
  ['Read(src/**)', `${READ}, path "src"`],
  ['Read(src/**/*)', `${READ}, path "src"`],
  ['Read(./src/a.ts)', `${READ}, path "src/a.ts"`],
  ['Read(//etc/hosts)', `${READ}, path "/etc/hosts"`],
  ['Read(~/notes/**)', `${READ}, path "~/notes"`],
  ['Read(**)', `${READ}, path "."`],
  ['Edit(.)', `${EDIT}, path "."`],
  ['Write( src/a )', `${EDIT}, path "src/a"`],
  ['Read(/src/**)', 'not: is relative to the folder of its settings file'],
  ['Read(a.ts)', 'not: means such a file in any folder'],
  ['Read(./a.ts)', 'not: means such a file in any folder'],
  ['Read(src/*.ts)', 'not: has a wildcard in its path'],
  ['Read(src/a?.ts)', 'not: has a wildcard in its path'],
  ['Read(a/**/b)', 'not: has a wildcard in its path'],
  ['WebFetch(domain:a.example)', 'tool "WebFetch", host "a.example"'],
  ['WebFetch( domain:a.example )', 'tool "WebFetch", host "a.example"'],
  ['WebFetch(a.example)', 'not: names no plain domain'],
  ['WebFetch(domain:*.example)', 'not: names no plain domain'],
  ['WebFetch(domain:a.example/x)', 'not: names no plain domain'],
  ['WebFetch(x domain:a.example)', 'not: names no plain domain'],
  ['WebSearch', 'tool "WebSearch"'],
  ['WebSearch(*)', 'tool "WebSearch"'],
  ['WebSearch( * )', 'tool "WebSearch"'],
  ['mcp__a', 'mcp a'],
  ['mcp__a__*', 'mcp a'],
  ['mcp__a__b', 'mcp a "b"'],
  ['mcp__a__b_*', 'not: has a wildcard in a name'],
  ['mcp__*', 'not: has a wildcard in a name'],
  ['mcp__a__b(x)', OTHER],
  ['Skill(x)', OTHER],
  ['(x)', 'not: is not a rule that we can read'],
  ['Bash(a) b', 'not: is not a rule that we can read'],
  ['', 'not: is not a rule that we can read'],
])('allow %s: %s', (written, text) => {
  expect(becomes('allow', written)).toBe(text)
})

test.each([
  ['Bash(git push:*)', 'command "git push* *"'],
  ['Bash(git push *)', 'command "git push *"'],
  ['Bash(* push)', 'command "* push"'],
  ['Bash(a* *)', 'command "a* *"'],
  ['Bash(a * * b)', 'command "a * b"'],
  ['Bash(a | b)', MORE],
  ['Read(a.ts)', `${READ}, path "*/a.ts"`],
  ['Read(src/*.ts)', `${READ}, path "*/src/*.ts"`],
  ['Read(**/*.pem)', `${READ}, path "*/*.pem"`],
  ['Read(//etc/*)', `${READ}, path "/etc/*"`],
  ['Read(~/*.pem)', `${READ}, path "~/*.pem"`],
  ['Read(a[b].ts)', 'not: has a wildcard in its path'],
  ['WebFetch(domain:a.example)', 'tool "WebFetch", host "a.example" or "*.a.example"'],
  ['Bash', 'tool "Bash"'],
  ['Read', READ],
])('ask %s: %s', (written, text) => {
  expect(becomes('ask', written)).toBe(text)
})

test('what denies comes first, then what asks, then what allows; each rule once, and a denial has its reason', () => {
  const permissions = {
    allow: ['WebSearch', 'WebSearch', 'WebSearch(*)'],
    ask: ['Bash(a)'],
    deny: ['Bash(b)'],
  }
  const { rules, notSaid } = importSettings(JSON.stringify({ permissions, other: 1 }))
  expect(rules.map(({ effect }) => effect)).toEqual(['deny', 'ask', 'allow'])
  expect(rules.map(({ because }) => because)).toEqual([
    "Claude Code's settings deny Bash(b).",
    undefined,
    undefined,
  ])
  expect(notSaid).toEqual([])
  for (const { id } of rules) expect(id).toMatch(/^cc-[0-9a-f]{12}$/)
})

test('what is not said is named with its effect; a setting that is no rule too', () => {
  const { notSaid } = importSettings(
    JSON.stringify({
      permissions: { deny: ['Skill(x)'], defaultMode: 'plan', additionalDirectories: ['/a'] },
    }),
  )
  expect(notSaid).toEqual([
    { rule: 'deny Skill(x)', reason: OTHER.slice('not: '.length) },
    { rule: 'defaultMode', reason: 'is no rule about a call' },
    { rule: 'additionalDirectories', reason: 'is no rule about a call' },
  ])
})

test('a text that no rule can hold is named', () => {
  expect(becomes('ask', `Bash(${'a'.repeat(600)})`)).toBe('not: has a text that a rule cannot hold')
})

test.each(['', '{}', '[]', '{"permissions":[]}', '{"permissions":{"allow":"Bash"}}'])(
  '%j is no settings file',
  (text) => {
    expect(() => importSettings(text)).toThrow('It is not a settings file of Claude Code')
  },
)
