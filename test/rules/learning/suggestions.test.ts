import { expect, test } from 'vitest'
import type { PastQuestion } from '../../../src/rules/learning/past-question.ts'
import { AnswerGroups } from '../../../src/rules/learning/suggestions.ts'
import { aContext, bash } from '../rules-rig.ts'

function suggested(calls: readonly PastQuestion['call'][], answer: 'allow' | 'deny' = 'allow') {
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
      aContext(),
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
