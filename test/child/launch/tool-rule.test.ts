import { expect, it } from 'vitest'
import { couldMatch, isOneRule } from '../../../src/child/launch/tool-rule.ts'

it.each([
  'Write',
  'Bash(git diff *)',
  'Bash(a, b)',
  'mcp__a__b',
  'Bash(python -c "print(1)")',
  'Read(//a b/**)',
])('%j is one rule', (rule) => expect(isOneRule(rule)).toBe(true))

it.each([
  'Read,Bash',
  'Read Bash',
  'Read\tBash',
  'Bash(a) ',
  'Bash(zz (b) Bash (c))',
  'Bash(a',
  'a)',
  '(a)',
  'A(b))(, Bash)',
  'A)(',
])('%j is not one rule', (rule) => expect(isOneRule(rule)).toBe(false))

const bash = { toolName: 'Bash', input: { command: 'cd x && git  push --force' } }

it.each([
  ['Bash', bash],
  ['*', bash],
  ['Bash(git push:*)', bash],
  ['Bash(git push *)', bash],
  ['Bash(cd x)', bash],
  [' Bash (git push) ', bash],
  ['Bash(*)', bash],
  ['Write', { toolName: 'Edit', input: { file_path: '/a' } }],
  ['Edit(/b/**)', { toolName: 'NotebookEdit', input: {} }],
  ['Read(./secrets/**)', { toolName: 'Grep', input: {} }],
  ['WebFetch(domain:example.com)', { toolName: 'WebFetch', input: { url: 'http://elsewhere' } }],
  ['mcp__a', { toolName: 'mcp__a__b', input: {} }],
  ['mcp__a__*', { toolName: 'mcp__a__b', input: {} }],
])('the rule %s could be meant for a call %j', (rule, call) => expect(couldMatch(rule, call)).toBe(true))

it.each([
  ['Write', bash],
  ['Bash(rm:*)', bash],
  ['Bash(git pull:*)', bash],
  ['mcp__a', { toolName: 'mcp__ab__c', input: {} }],
  ['Edit', { toolName: 'Read', input: {} }],
  ['Bash(git', bash],
  ['x(Bash', bash],
])('the rule %s is not meant for %j', (rule, call) => expect(couldMatch(rule, call)).toBe(false))
