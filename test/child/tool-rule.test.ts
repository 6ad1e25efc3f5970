import { expect, it } from 'vitest'
import { isOneRule } from '../../src/child/tool-rule.ts'

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
])('%j is not one rule', (rule) => expect(isOneRule(rule)).toBe(false))
