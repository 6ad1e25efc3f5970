import { describe, expect, test } from 'vitest'
import { answeringRule } from '../../../src/child/policy/answering-rule.ts'
import type { ToolCall } from '../../../src/child/policy/hook-opinion.ts'
import type { FileLookup } from '../../../src/shell/path-bounds.ts'

const files: FileLookup = {
  realPath: (path) => path,
  hasEntry: () => true,
  names: () => [],
  text: () => undefined,
  hasBytes: () => undefined,
}
const place = { files, bounds: { folders: ['/code'], except: [] }, cwd: '/code', trusted: false }
const bash = (command: string): ToolCall => ({ toolName: 'Bash', input: { command } })

/** The answer by these rules of the user, unless it is to be asked about. */
const answer = (call: ToolCall, allow: readonly string[], ask: readonly string[] = []) =>
  answeringRule(call, { allow: allow.map((text) => ({ text, origin: 'user' })), ask }, place)?.text

describe('a question is answered', () => {
  test.each(['WebSearch', ' WebSearch ', 'WebSearch()', 'WebSearch(*)', 'WebSearch( :* )'])(
    'by %j, which allows the whole tool',
    (rule) => {
      const call = { toolName: 'WebSearch', input: { query: 'a' } }
      expect(answer(call, ['Read', rule])).toBe(`${rule} of user`)
    },
  )

  test('for a command by the rules of all its parts, which are named', () => {
    const rules = ['Bash(touch *)', 'Bash(mkdir *)', 'Bash(rm *)']
    expect(answer(bash('mkdir a && touch a/b'), rules)).toBe(
      'Bash(touch *) of user and Bash(mkdir *) of user',
    )
    expect(answer(bash('touch a'), rules)).toBe('Bash(touch *) of user')
  })
})

describe('a question is not answered', () => {
  test.each<[string, ToolCall, string[]]>([
    ['without rules', bash('touch a'), []],
    ['by a rule for another tool', bash('touch a'), ['WebSearch', 'BashOutput', 'Bash2(touch *)']],
    ['by a rule for another command', bash('touch a'), ['Bash(mkdir *)']],
    ['by a rule for one of two commands', bash('touch a && rm b'), ['Bash(touch *)']],
    ['by a rule that makes no sense', bash('touch a'), ['(touch *)', '', '(Bash', 'Bash(touch *', 'Bash(']],
    [
      'by a rule for a part of another tool',
      { toolName: 'WebFetch', input: { url: 'a' } },
      ['WebFetch(domain:a)'],
    ],
    [
      'by a rule for a part of a tool with commands of its own',
      { toolName: 'Monitor', input: { command: 'touch a' } },
      ['Monitor(touch *)'],
    ],
    ['for what is no command', { toolName: 'Bash', input: { command: 7 } }, ['Bash(touch *)']],
  ])('%s', (_, call, allow) => {
    expect(answer(call, allow)).toBeUndefined()
  })

  test('where a rule says that it is to be asked about', () => {
    expect(answer(bash('touch a'), ['Bash'], ['Bash(touch *)'])).toBeUndefined()
    expect(answer(bash('touch a'), ['Bash'], ['WebSearch'])).toBe('Bash of user')
    expect(answer(bash('touch a'), ['Bash'], ['WebSearch', 'Bash'])).toBeUndefined()
  })
})

test('a rule is a flag of the child only if each rule that it names is one', () => {
  const allow = [
    { text: 'Bash(touch *)', origin: 'allowedTools' },
    { text: 'Bash(mkdir *)', origin: 'user' },
  ]
  const isFlag = (command: string) => answeringRule(bash(command), { allow, ask: [] }, place)?.isFlag
  expect(isFlag('touch a && touch b')).toBe(true)
  expect(isFlag('mkdir a && touch a/b')).toBe(false)
  expect(isFlag('mkdir a')).toBe(false)
})
