import { expect, test } from 'vitest'
import type { PastQuestion } from '../../../src/rules/learning/past-question.ts'
import { AnswerGroups } from '../../../src/rules/learning/suggestions.ts'
import type { RuleContext } from '../../../src/rules/rule-call.ts'
import { aContext, bash } from '../rules-rig.ts'

const inFolder = (folder: string) => {
  const { place } = aContext()
  return aContext({ place: { ...place, cwd: folder, bounds: { ...place.bounds, folders: [folder] } } })
}

function suggested(
  calls: readonly PastQuestion['call'][],
  answer: 'allow' | 'deny' = 'allow',
  contextOf: (index: number) => RuleContext = () => aContext(),
) {
  const groups = new AnswerGroups()
  for (const [index, call] of calls.entries())
    groups.add(
      {
        id: `${index}`,
        label: `web.${index}`,
        at: index,
        call,
        status: answer === 'allow' ? 'allowed' : 'denied',
        wasDenied: answer === 'deny',
        outcome: 'asked',
        byOther: false,
      },
      contextOf(index),
      answer,
    )
  return groups.suggestions().map(({ rule, answers }) => ({ ...rule, answers }))
}
const patterns = (...lines: string[]) =>
  suggested(lines.map((line) => bash(line))).map(({ command }) => command?.[0])

const edit = (path: string) => ({ toolName: 'Edit', input: { file_path: path }, cwd: '/code/web' })

test.each<[string[], string[]]>([
  [['npm run build', 'npm run test', 'npm run lint'], ['npm run build|lint|test']],
  [['npm run build', 'npm run build', 'npm run build'], ['npm run build']],
  [['git commit -m "a b"', 'git commit -m c', 'git commit -m d'], ['git commit -m *']],
  [['git commit -m a', 'git commit --amend', 'git commit'], ['git commit *']],
  [['touch a', 'touch b'], []],
  [['python3 a.py', 'python3 a.py', 'python3 a.py'], []],
  [['touch a > b', 'touch a > b', 'touch a > b'], []],
  [['touch a; touch b; npm test', 'touch c'], ['touch a|b|c']],
])('[14] three equal answers give the narrowest tokens that cover them: %j', (lines, expected) => {
  expect(patterns(...lines)).toEqual(expected)
})

test('[14] a command rule holds in the folder of its sessions; files by the folder that holds them all', () => {
  expect(suggested([bash('make a'), bash('make a'), bash('make a')])).toMatchObject([
    { folder: '/code/web', answers: 3 },
  ])
  expect(suggested([edit('src/a.ts'), edit('src/b.ts'), edit('src/lib/c.ts')])).toMatchObject([
    { tool: ['Edit'], path: ['/code/web/src'] },
  ])
  expect(suggested([edit('/etc/a'), edit('/etc/a'), edit('/etc/a')])).toEqual([])
})

test('[14] three equal denials give a rule that denies, with a reason for the model', () => {
  expect(suggested([bash('git push'), bash('git push'), bash('git push')], 'deny')).toMatchObject([
    { effect: 'deny', command: ['git push'], because: expect.any(String) },
  ])
})

const thrice = <T>(value: T): T[] => [value, value, value]
const tool = (toolName: string, input: object = {}) => ({ toolName, input, cwd: '/code/web' })

test('[14] a host, a tool of MCP and a search are suggested as they are', () => {
  const fetch = tool('WebFetch', { url: 'https://a.example/x' })
  expect(suggested(thrice(fetch))).toMatchObject([
    { effect: 'allow', tool: ['WebFetch'], host: ['a.example'], answers: 3 },
  ])
  expect(suggested(thrice(tool('mcp__a__b')))).toMatchObject([{ mcp: { server: 'a', tool: ['b'] } }])
  expect(suggested(thrice(tool('WebSearch')))).toMatchObject([{ tool: ['WebSearch'] }])
  for (const [rule] of [suggested(thrice(fetch)), suggested(thrice(tool('WebSearch')))]) {
    expect(rule).not.toHaveProperty('folder')
    expect(rule).not.toHaveProperty('command')
    expect(rule).not.toHaveProperty('path')
    expect(rule).not.toHaveProperty('because')
  }
})

test.each<[string, PastQuestion['call']]>([
  ['a command that leaves the sandbox', tool('Bash', { command: 'make', dangerouslyDisableSandbox: true })],
  ['a command of another tool', tool('PowerShell', { command: 'make' })],
  ['a command that is no text', tool('Bash', { command: 7 })],
  ['a line that is more than simple commands', bash('for x in 1; do make a; done')],
  ['a change of the folder', bash('cd src')],
  ['a command that reads a file by the shell', bash('make a < b')],
  ['a file that is not named', tool('Read')],
  ['a file whose name a pattern could not hold', edit('a*b')],
  ['an address that is none', tool('WebFetch', { url: 'nothing' })],
  ['a tool that nobody knows', tool('SomethingNew')],
  ['a name of MCP with a star', tool('mcp__a__b*')],
])('[14] nothing is suggested for %s', (_, call) => {
  expect(suggested(thrice(call))).toEqual([])
})

test('[14] two answers are too few, and a yes and a no are not counted together', () => {
  expect(suggested([bash('make a'), bash('make a')])).toEqual([])
  const groups = new AnswerGroups()
  const question = {
    id: 'q',
    label: 'q',
    at: 1,
    call: bash('make a'),
    byOther: false,
    outcome: 'asked',
  } as const
  for (const answer of ['allow', 'allow', 'deny', 'deny'] as const)
    groups.add({ ...question, status: 'allowed', wasDenied: false }, aContext(), answer)
  expect(groups.suggestions()).toEqual([])
})

test('[14] a command of sessions in several folders is suggested for any folder, a file for each by itself', () => {
  const contexts = ['/code/web', '/work', '/work'].map(inFolder)
  const [command] = suggested(thrice(bash('make a')), 'allow', (index) => contexts[index] ?? aContext())
  expect(command).toMatchObject({ command: ['make a'] })
  expect(command).not.toHaveProperty('folder')
  const files = [edit('/code/web/a'), edit('/work/a'), edit('/work/b')]
  expect(suggested(files, 'allow', (index) => contexts[index] ?? aContext())).toEqual([])
})

test('[14] one file is suggested as that file, files of one folder as the folder', () => {
  expect(suggested(thrice(edit('src/a.ts')))).toMatchObject([{ path: ['/code/web/src/a.ts'] }])
  expect(suggested([edit('src/a.ts'), edit('b.ts'), edit('b.ts')])).toMatchObject([{ path: ['/code/web'] }])
  const [denied] = suggested(thrice(edit('src/a.ts')), 'deny')
  expect(denied).toMatchObject({ effect: 'deny', because: 'This was denied each time that it was asked.' })
})

test('[14] what is kept has a limit: beyond 2000 kinds of calls no new one is counted', () => {
  const many = Array.from({ length: 2_000 }, (_, index) => tool(`mcp__s${index}__t`))
  const known = thrice(tool('mcp__s5__t'))
  expect(suggested([...many, ...thrice(tool('mcp__new__t')), ...known])).toMatchObject([
    { mcp: { server: 's5', tool: ['t'] }, answers: 4 },
  ])
})
