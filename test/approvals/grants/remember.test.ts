import { describe, expect, test } from 'vitest'
import {
  grantRuleOf,
  isGranted,
  rememberedBy,
  narrowedRule,
  cliRulesOf,
} from '../../../src/approvals/grants/remember.ts'
import { anApproval } from '../../contracts/rows.ts'

const cwd = '/project'
const remembered = (toolName: string, input: Record<string, unknown>) =>
  grantRuleOf(anApproval({ toolName, input, cwd }), 'session')

test('for a tool of the CLI the command, file or address is remembered', () => {
  const rule = remembered('Bash', { command: 'ls', description: 'look' })
  const bash = (input: object) => isGranted(rule, { toolName: 'Bash', input, cwd })
  expect(bash({ command: 'ls', description: 'look again', timeout: 9 })).toBe(true)
  expect(bash({ command: 'ls; rm x' })).toBe(false)
  expect(bash({ command: 'ls', dangerouslyDisableSandbox: true })).toBe(false)
  expect(isGranted(rule, { toolName: 'Write', input: { command: 'ls' }, cwd })).toBe(false)
})

test('for any other tool only the exact call is remembered', () => {
  const get = { url: 'http://host/thing', method: 'GET' }
  const rule = remembered('mcp__web__request', get)
  expect(isGranted(rule, { toolName: 'mcp__web__request', input: get })).toBe(true)
  expect(isGranted(rule, { toolName: 'mcp__web__request', input: { ...get, method: 'DELETE' } })).toBe(false)
})

test('an invalid rule grants nothing', () => {
  for (const rule of [null, {}, { toolName: 'Bash' }, undefined])
    expect(isGranted(rule, { toolName: 'Bash', input: undefined, cwd })).toBe(false)
  expect(cliRulesOf([null, {}, { rules: ['Bash(ls)'] }])).toEqual([])
})

describe('S26: the folder', () => {
  test.each([
    ['Bash', { command: 'touch a' }, true],
    ['PowerShell', { command: 'a' }, true],
    ['Agent', { prompt: 'a' }, true],
    ['Grep', { pattern: 'a' }, true],
    ['Write', { file_path: 'a', content: '' }, true],
    ['Read', { file_path: '~/a' }, true],
    ['Read', {}, true],
    ['Write', { file_path: '/a', content: '' }, false],
    ['Edit', { file_path: '/a' }, false],
    ['NotebookEdit', { file_path: '/a' }, true],
    ['WebSearch', { query: 'a' }, false],
    ['WebFetch', { url: 'http://host' }, false],
    ['mcp__web__get', { path: 'a' }, false],
  ])('a call of %s with %j is another one in another folder: %s', (toolName, input, depends) => {
    const rule = remembered(toolName, input)
    expect(isGranted(rule, { toolName, input, cwd })).toBe(true)
    expect(isGranted(rule, { toolName, input, cwd: '/project/sub' })).toBe(!depends)
    expect(isGranted(rule, { toolName, input })).toBe(!depends)
    const nowhere = grantRuleOf(anApproval({ toolName, input }), 'session')
    expect(nowhere === undefined).toBe(depends)
    expect(rule?.folder).toBe(depends ? cwd : undefined)
  })
})

describe('S26: what is remembered', () => {
  const suggestions = [
    { type: 'addRules', behavior: 'allow', rules: [{ toolName: 'Bash', ruleContent: 'git push *' }] },
  ]
  const asked = anApproval({ input: { command: 'git push' }, suggestions, cwd })

  const kept = (how: 'session' | 'suggested') => {
    const rule = grantRuleOf(asked, how)
    return rule && [cliRulesOf([rule]), rememberedBy(rule)]
  }

  test('is the exact call, and rules only if they were chosen', () => {
    const call = { call: 'Bash: git push', folder: cwd }
    expect(kept('session')).toEqual([[], { ...call, rules: [] }])
    expect(kept('suggested')).toEqual([['Bash(git push *)'], { ...call, rules: ['Bash(git push *)'] }])
  })

  test('of a grant of an older version is the exact call in the folder of the session', () => {
    const old = { toolName: 'Bash', subject: 'git push', rules: ['Bash(git push *)'] }
    const { rule, dropped } = narrowedRule(old, cwd) ?? {}
    expect(dropped).toEqual(['Bash(git push *)'])
    expect(cliRulesOf([rule])).toEqual([])
    const call = { toolName: 'Bash', input: { command: 'git push' } }
    expect([cwd, '/other'].map((folder) => isGranted(rule, { ...call, cwd: folder }))).toEqual([true, false])
    for (const settled of [rule, grantRuleOf(asked, 'suggested'), 'no rule'])
      expect(narrowedRule(settled, cwd)).toBeUndefined()
  })
})

test.each([
  ['Read', { file_path: '/a', offset: 1 }, { file_path: '/a', offset: 2 }, { file_path: '/b', offset: 1 }],
  ['Write', { file_path: '/a', content: 'x' }, { file_path: '/a', content: 'y' }, { file_path: '/b' }],
  ['Edit', { file_path: '/a', old: 'x' }, { file_path: '/a', old: 'y' }, { file_path: '/b' }],
  ['WebFetch', { url: 'http://a', prompt: 'x' }, { url: 'http://a', prompt: 'y' }, { url: 'http://b' }],
])('of %s its file or address is remembered', (toolName, input, same, other) => {
  const rule = remembered(toolName, input)
  expect(isGranted(rule, { toolName, input: same, cwd })).toBe(true)
  expect(isGranted(rule, { toolName, input: other, cwd })).toBe(false)
})

test('a call of another tool with the same input is not granted', () => {
  const rule = remembered('mcp__a', { x: 1 })
  expect(isGranted(rule, { toolName: 'mcp__a', input: { x: 1 } })).toBe(true)
  expect(isGranted(rule, { toolName: 'mcp__b', input: { x: 1 } })).toBe(false)
})

test('a call of a tool of the CLI without its file, address or command is remembered whole', () => {
  for (const toolName of ['Read', 'WebFetch', 'Bash']) {
    const rule = remembered(toolName, { other: 1 })
    expect(isGranted(rule, { toolName, input: { other: 1 }, cwd })).toBe(true)
    expect(isGranted(rule, { toolName, input: { other: 2 }, cwd })).toBe(false)
  }
})

test('a stored rule without CLI rules has none', () => {
  expect(cliRulesOf([{ toolName: 'Bash', subject: 'ls', folder: cwd }])).toEqual([])
})
