import { expect, test } from 'vitest'
import { grantRuleOf, isGranted } from '../../src/approvals/grant-rule.ts'
import { anApproval } from '../contracts/rows.ts'

const remembered = (toolName: string, input: Record<string, unknown>) => [
  grantRuleOf(anApproval({ toolName, input })),
]

test('of a tool of the CLI the same command, file or address is remembered', () => {
  const rules = remembered('Bash', { command: 'ls', description: 'look' })
  expect(isGranted(rules, { toolName: 'Bash', input: { command: 'ls', description: 'look again' } })).toBe(
    true,
  )
  expect(isGranted(rules, { toolName: 'Bash', input: { command: 'ls; rm x' } })).toBe(false)
  expect(isGranted(rules, { toolName: 'Write', input: { command: 'ls' } })).toBe(false)
})

test('of any other tool only the very same call is', () => {
  const get = { url: 'http://host/thing', method: 'GET' }
  const rules = remembered('mcp__web__request', get)
  expect(isGranted(rules, { toolName: 'mcp__web__request', input: get })).toBe(true)
  expect(isGranted(rules, { toolName: 'mcp__web__request', input: { ...get, method: 'DELETE' } })).toBe(false)
})

test('what the CLI remembers itself is not ours to judge, and what makes no sense grants nothing', () => {
  const rule = grantRuleOf(anApproval({ suggestions: [{ type: 'addRules' }] }))
  expect(isGranted([rule, null, {}], { toolName: 'Bash', input: { command: 'echo a1' } })).toBe(false)
})
