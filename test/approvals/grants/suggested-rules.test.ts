import { expect, test } from 'vitest'
import { cliRuleText } from '../../../src/approvals/grants/cli-rule.ts'
import { suggestedRules } from '../../../src/approvals/grants/suggested-rules.ts'
import { anApproval } from '../../contracts/rows.ts'

const addRules = (...rules: object[]) => ({ type: 'addRules', behavior: 'allow', rules })
const bashRule = (ruleContent?: string) => ({ toolName: 'Bash', ruleContent })
/** A command for which we have no suggestion of our own. */
const input = { command: 'echo $HOME' }

test.each([
  ['a rule', [addRules(bashRule('npm run *'))], ['Bash(npm run *)']],
  [
    'one for each part of a command',
    [addRules(bashRule('a *'), bashRule('b *'))],
    ['Bash(a *)', 'Bash(b *)'],
  ],
  ['a whole tool', [addRules({ toolName: 'mcp__web__get' })], ['mcp__web__get']],
  ['a folder', [addRules({ toolName: 'Read', ruleContent: '//a/**' })], ['Read(//a/**)']],
  ['an address', [addRules({ toolName: 'WebFetch', ruleContent: 'domain:a.b' })], ['WebFetch(domain:a.b)']],
  ['any end of a command', [addRules(bashRule('npm test:*'))], ['Bash(npm test *)']],
  ['what no rule of Plexus can say', [addRules({ toolName: 'Skill', ruleContent: 'x' })], []],
  ['all files', [addRules({ toolName: 'Read' })], []],
  ['all of Bash', [addRules(bashRule())], []],
  ['all of Bash in other words', [addRules(bashRule(' :*'))], []],
  ['a part that is too much', [addRules(bashRule('a *'), bashRule('*'))], []],
  ['a shell', [addRules(bashRule('sh *'))], []],
  ['half a word', [addRules(bashRule('gi*'))], []],
  ['several commands in one', [addRules(bashRule('ls; touch *'))], []],
  ['two rules in one', [addRules(bashRule('a) Bash(*'))], []],
  ['two tools in one', [addRules({ toolName: 'Read,Bash' })], []],
  ['a flag', [addRules({ toolName: '--settings=x' })], []],
  ['what cannot be seen', [addRules(bashRule('a\u202e *'))], []],
  ['what nobody reads', [addRules(bashRule(`a ${'x'.repeat(500)}`))], []],
  ['the longest', [addRules(bashRule(`a ${'x'.repeat(492)}`))], [`Bash(a ${'x'.repeat(492)})`]],
  ['a little more', [addRules(bashRule(`a ${'x'.repeat(493)}`))], []],
  ['a control character', [addRules({ toolName: 'Read', ruleContent: '/a\u0007' })], []],
  ['a bracket', [addRules({ toolName: 'Read', ruleContent: '/a(b' })], []],
  ['a host with a path', [addRules({ toolName: 'WebFetch', ruleContent: 'domain:a.b/c' })], []],
  ['no host', [addRules({ toolName: 'WebFetch', ruleContent: 'x domain:a.b' })], []],
  ['a folder of the home folder', [addRules({ toolName: 'Read', ruleContent: '~/a/**' })], ['Read(~/a/**)']],
  ['a folder to edit', [addRules({ toolName: 'Edit', ruleContent: '//a/b/**' })], ['Edit(//a/b/**)']],
  ['a folder by a relative path', [addRules({ toolName: 'Read', ruleContent: 'a//b/**' })], []],
  ['a part of a folder', [addRules({ toolName: 'Read', ruleContent: '//a/**/b' })], []],
  ['a folder with a wildcard', [addRules({ toolName: 'Read', ruleContent: '//a*/**' })], []],
  ['a file', [addRules({ toolName: 'Read', ruleContent: '//a/b' })], []],
  ['a folder for a tool that reads none', [addRules({ toolName: 'mcp__a__b', ruleContent: '//a/**' })], []],
  [
    'a part that no rule of Plexus can say',
    [addRules(bashRule('a *'), { toolName: 'Skill', ruleContent: 'x' })],
    [],
  ],
  ['a part that cannot be seen', [addRules(bashRule('b *'), bashRule('a\u202e *'))], []],
  ['a colon inside', [addRules(bashRule('a:* b'))], []],
  ['a bracket in a command', [addRules(bashRule('a (b'))], []],
  ['a rule that denies', [{ ...addRules(bashRule('a')), behavior: 'deny' }], []],
  ['a rule that is taken away', [{ ...addRules(bashRule('a')), type: 'removeRules' }], []],
  ['other modes and folders', [{ type: 'setMode', mode: 'acceptEdits' }, { type: 'addDirectories' }], []],
])('S26: of what the CLI suggests, %s', (_, suggestions, rules) => {
  expect(suggestedRules(anApproval({ input, suggestions })).map(cliRuleText)).toEqual(rules)
})

test('S26: if the CLI suggests no rule that can be shown, Plexus suggests one, for a command and nothing else', () => {
  const push = { input: { command: 'git push origin main' } }
  const ours = [{ tool: ['Bash'], command: ['git push *'] }]
  expect(suggestedRules(anApproval(push))).toEqual(ours)
  expect(suggestedRules(anApproval({ ...push, suggestions: [addRules(bashRule('*'))] }))).toEqual(ours)
  expect(suggestedRules(anApproval({ ...push, toolName: 'Monitor' }))).toEqual([])
  expect(suggestedRules(anApproval({ ...push, kind: 'plan' }))).toEqual([])
  expect(suggestedRules(anApproval({ input: { command: 7 } }))).toEqual([])
})

const tools = (toolName: string) =>
  suggestedRules(anApproval({ input, suggestions: [addRules({ toolName, ruleContent: '//a/**' })] }))

test('a rule of the CLI for one tool that reads, or edits, is for all that do', () => {
  expect(tools('Read')).toEqual([{ tool: ['Read|Glob|Grep|LS'], path: ['/a'] }])
  expect(tools('Edit')).toEqual([{ tool: ['Edit|Write|MultiEdit|NotebookEdit'], path: ['/a'] }])
})
