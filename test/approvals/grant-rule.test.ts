import { expect, test } from 'vitest'
import { grantRuleOf, isGranted, rulesOf } from '../../src/approvals/grant-rule.ts'
import { anApproval } from '../contracts/rows.ts'

const remembered = (toolName: string, input: Record<string, unknown>) =>
  grantRuleOf(anApproval({ toolName, input }))

test('of a tool of the CLI the same command, file or address is remembered', () => {
  const rule = remembered('Bash', { command: 'ls', description: 'look' })
  const bash = (input: object) => isGranted(rule, { toolName: 'Bash', input })
  expect(bash({ command: 'ls', description: 'look again', timeout: 9 })).toBe(true)
  expect(bash({ command: 'ls; rm x' })).toBe(false)
  expect(bash({ command: 'ls', dangerouslyDisableSandbox: true })).toBe(false)
  expect(isGranted(rule, { toolName: 'Write', input: { command: 'ls' } })).toBe(false)
})

test('of any other tool only the very same call is', () => {
  const get = { url: 'http://host/thing', method: 'GET' }
  const rule = remembered('mcp__web__request', get)
  expect(isGranted(rule, { toolName: 'mcp__web__request', input: get })).toBe(true)
  expect(isGranted(rule, { toolName: 'mcp__web__request', input: { ...get, method: 'DELETE' } })).toBe(false)
})

test('what makes no sense grants nothing', () => {
  for (const rule of [null, {}, { toolName: 'Bash' }, undefined])
    expect(isGranted(rule, { toolName: 'Bash', input: undefined })).toBe(false)
  expect(rulesOf([null, {}, { rules: ['Bash(ls)'] }])).toEqual([])
})

const addRules = (...rules: object[]) => ({ type: 'addRules', behavior: 'allow', rules })
const bashRule = (ruleContent?: string) => ({ toolName: 'Bash', ruleContent })

test.each([
  ['a rule', [addRules(bashRule('npm run *'))], ['Bash(npm run *)']],
  [
    'one for each part of a command',
    [addRules(bashRule('a *'), bashRule('b *'))],
    ['Bash(a *)', 'Bash(b *)'],
  ],
  ['a whole tool', [addRules({ toolName: 'mcp__web__get' })], ['mcp__web__get']],
  ['all of Bash', [addRules(bashRule())], []],
  ['all of Bash in other words', [addRules(bashRule(' :*'))], []],
  ['a part that is too much', [addRules(bashRule('a *'), bashRule('*'))], []],
  ['two rules in one', [addRules(bashRule('a) Bash(*'))], []],
  ['two tools in one', [addRules({ toolName: 'Read,Bash' })], []],
  ['a flag', [addRules({ toolName: '--settings=x' })], []],
  ['a rule that denies', [{ ...addRules(bashRule('a')), behavior: 'deny' }], []],
  ['a rule that is taken away', [{ ...addRules(bashRule('a')), type: 'removeRules' }], []],
  ['other modes and folders', [{ type: 'setMode', mode: 'acceptEdits' }, { type: 'addDirectories' }], []],
])('of what the CLI suggests, %s', (_, suggestions, rules) => {
  expect(grantRuleOf(anApproval({ suggestions })).rules).toEqual(rules)
})
