import { expect, test } from 'vitest'
import type { Rule } from '../../src/rules/rule.ts'
import { ruleText } from '../../src/rules/rule-text.ts'

const allow = { id: 'a', effect: 'allow' } as const

test.each<[Omit<Rule, 'id' | 'effect'>, string]>([
  [{ tool: ['Read', 'Write'] }, 'tool "Read" or "Write"'],
  [{ command: ['git push *'] }, 'command "git push *"'],
  [{ path: ['~/.ssh'] }, 'path "~/.ssh"'],
  [{ host: ['*.a'] }, 'host "*.a"'],
  [{ mcp: { server: 'x' } }, 'mcp x'],
  [{ mcp: { server: 'x', tool: ['y'] } }, 'mcp x "y"'],
  [{ folder: '/a' }, 'in folder "/a"'],
  [{ mode: ['plan'] }, 'in mode "plan"'],
  [{ caller: ['operator'] }, 'of caller "operator"'],
  [{ session: ['web'] }, 'in session "web"'],
  [{ turn: 0 }, 'in turn 0'],
  [{ tree: ['web'] }, 'in tree "web"'],
  [{ redirect: 'inside' }, 'redirect inside'],
  [{ redirect: 'none' }, ''],
  [{ answerers: ['person'] }, 'answered by "person"'],
  [{ timeout: 0 }, 'without a time limit'],
  [{ timeout: 60 }, 'within 60 seconds'],
  [{ expires: '2027-01-31T12:00:00Z' }, 'until 2027-01-31T12:00:00Z'],
  [{ exact: { toolName: 'Bash', subject: 'ls' } }, 'exactly Bash "ls"'],
  [{ tool: ['Bash'], command: ['ls'], folder: '/a' }, 'tool "Bash", command "ls", in folder "/a"'],
])('%j says: %s', (conditions, text) => {
  expect(ruleText({ ...allow, ...conditions })).toBe(`allow ${text}`)
})
