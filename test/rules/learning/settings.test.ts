import { array, assert, constantFrom, property } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { matchingRules } from '../../../src/shell/matching-rules.ts'
import { exportRules } from '../../../src/rules/learning/settings-export.ts'
import { importSettings } from '../../../src/rules/learning/settings-import.ts'
import { parseRules } from '../../../src/rules/rules-file.ts'
import { aContext, effectOn, rulesOf } from '../rules-rig.ts'

const settings = (permissions: object) => JSON.stringify({ permissions })
const imported = (permissions: object) => {
  const { rules, notSaid } = importSettings(settings(permissions))
  return { rules: parseRules(JSON.stringify({ v: 1, rules })), notSaid: notSaid.map(({ rule }) => rule) }
}

describe('import: an allow rule is never wider, a deny rule never narrower (asked for: 6)', () => {
  const { rules } = imported({
    allow: ['Bash(npm run test:*)', 'Bash(git status)', 'Bash(touch *)'],
    deny: ['Bash(git push:*)', 'Bash(curl*)', 'Bash(rm * -r)'],
    ask: ['Bash(git commit *)'],
  })
  test.each([
    ['npm run test', 'allow'],
    ['npm run test -- --run', 'allow'],
    ['npm run test && touch a', 'allow'],
    ['npm run test:unit', 'none'],
    ['npm run test && make', 'none'],
    ['git status', 'allow'],
    ['git status -s > x', 'none'],
    ['git push', 'deny'],
    ['git push-x', 'deny'],
    ['npm run test && git push origin', 'deny'],
    ['curl x', 'deny'],
    ['curlx y z', 'deny'],
    ['rm a b -r', 'deny'],
    ['git commit -m x', 'ask'],
  ])('%s: %s', (line, effect) => {
    expect(effectOn(line, rules)).toBe(effect)
  })
})

test('what cannot be said is named', () => {
  const said = imported({
    allow: [
      'Bash',
      'Bash(*)',
      'Bash(node:*)',
      'Bash(git * main)',
      'Bash(a && b)',
      'Read',
      'Read(.env)',
      'Edit(/src/**)',
    ],
    deny: ['Task(x)', 'Read(a?.ts)'],
    defaultMode: 'acceptEdits',
  })
  expect(said.rules.rules.rules).toEqual([])
  expect(said.notSaid).toHaveLength(11)
  expect(() => importSettings('{}')).toThrow('not a settings file')
})

test('paths, hosts and servers', () => {
  const { rules, notSaid } = imported({
    allow: [
      'Edit(src/**)',
      'Read(//etc/hosts)',
      'WebFetch(domain:example.com)',
      'mcp__github',
      'mcp__jira__get',
    ],
    deny: ['Read(~/.ssh/**)', 'Read(.env)', 'WebFetch(domain:evil.com)'],
  })
  expect(notSaid).toEqual([])
  expect(rules.rules.rules.map(({ text }) => text)).toEqual([
    'deny tool "Read|NotebookRead|Grep|Glob|LS", path "~/.ssh"',
    'deny tool "Read|NotebookRead|Grep|Glob|LS", path "*/.env"',
    'deny tool "WebFetch", host "evil.com" or "*.evil.com"',
    'allow tool "Edit|Write|MultiEdit|NotebookEdit", path "src"',
    'allow tool "Read|NotebookRead|Grep|Glob|LS", path "/etc/hosts"',
    'allow tool "WebFetch", host "example.com"',
    'allow mcp github',
    'allow mcp jira "get"',
  ])
})

test('export says what Claude Code can say, and names the rest', () => {
  const { forbid, rules } = rulesOf(
    [
      { id: 'early', effect: 'allow', command: 'git push origin docs' },
      { id: 'push', effect: 'deny', command: 'git push *', because: 'x' },
      { id: 'reads', effect: 'allow', command: ['npm test|ci *', 'make'] },
      { id: 'edits', effect: 'allow', tool: 'Edit', path: '.' },
      { id: 'web', effect: 'allow', tool: 'WebFetch', host: 'example.com' },
      { id: 'mine', effect: 'allow', command: 'ls *', folder: '/x' },
      { id: 'mid', effect: 'ask', command: 'docker * x' },
    ],
    [{ id: 'no', command: 'dd *', because: 'x' }],
  )
  const { permissions, notSaid } = exportRules([...forbid.rules, ...rules.rules].map(({ rule }) => rule))
  expect(permissions).toEqual({
    deny: ['Bash(dd *)', 'Bash(git push *)'],
    ask: [],
    allow: ['Bash(npm test *)', 'Bash(npm ci *)', 'Bash(make)', 'WebFetch(domain:example.com)'],
  })
  expect(notSaid.map(({ rule }) => rule.split(':')[0])).toEqual(['early', 'edits', 'mine', 'mid'])
})

const words = array(constantFrom('npm', 'run', 'check', 'git', 'touch', '-v', 'a', 'b:c'), {
  minLength: 1,
  maxLength: 4,
})

test('a command that an imported allow rule allows, the rule of Claude Code allows too', () => {
  assert(
    property(words, constantFrom('', ' *', ':*'), words, (start, end, line) => {
      const written = `${start.join(' ')}${end}`
      const { rules } = importSettings(settings({ allow: [`Bash(${written})`] }))
      if (rules.length === 0) return
      const text = line.join(' ')
      if (
        effectOn(
          text,
          parseRules(JSON.stringify({ v: 1, rules })),
          aContext({ harmlessIsAllowed: false }),
        ) !== 'allow'
      )
        return
      expect(matchingRules(text, [written], aContext().place)).toBeDefined()
    }),
    { numRuns: 500 },
  )
})
