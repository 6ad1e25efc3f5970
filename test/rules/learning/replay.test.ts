import { expect, test } from 'vitest'
import { outcomeThen, type PastQuestion } from '../../../src/rules/learning/past-question.ts'
import { ReplayTally } from '../../../src/rules/learning/replay.ts'

function asked(number: number, more: Partial<PastQuestion> = {}): PastQuestion {
  return {
    id: `${number}`,
    label: `web.${number}`,
    at: 1_000 + number,
    call: { toolName: 'Bash', input: { command: `make ${number}` } },
    status: 'allowed',
    wasDenied: false,
    outcome: 'asked',
    byOther: false,
    ...more,
  }
}

test('[3] a replay counts what is newly allowed, asked and denied, and names first what was denied (asked for: 9)', () => {
  const tally = new ReplayTally()
  for (let number = 1; number <= 8; number += 1) tally.add(asked(number), 'allowed', 'make')
  tally.add(asked(9, { status: 'denied', wasDenied: true, by: 'operator' }), 'allowed', 'make')
  tally.add(asked(10, { outcome: 'allowed' }), 'asked')
  tally.add(asked(11), 'denied', 'no')
  tally.add(asked(12), 'asked')
  const { newlyAllowed, newlyAsked, newlyDenied, ...rest } = tally.report()
  expect(rest).toEqual({ questions: 12, unchanged: 1, oldestAt: 1_001 })
  expect(newlyAllowed).toMatchObject({ count: 9, denied: 1 })
  expect(newlyAllowed.examples.map(({ question }) => question)).toEqual([
    'web.9',
    'web.1',
    'web.2',
    'web.3',
    'web.4',
  ])
  expect(newlyAllowed.examples[0]).toEqual({
    question: 'web.9',
    at: 1_009,
    call: 'Bash(make 9)',
    status: 'denied',
    by: 'operator',
    ruleId: 'make',
  })
  expect([newlyAsked.count, newlyDenied.count]).toEqual([1, 1])
})

test.each([
  [undefined, 'command_line', { outcome: 'asked', byOther: false }],
  [{ effect: 'ask', drawer: 'rules' }, 'tool', { outcome: 'asked', byOther: false }],
  [{ effect: 'allow', drawer: 'rules' }, 'rule', { outcome: 'allowed', byOther: false }],
  [{ effect: 'allow', drawer: 'granted' }, 'rule', { outcome: 'allowed', byOther: true }],
  [{ effect: 'forbid', drawer: 'forbid' }, 'rule', { outcome: 'denied', byOther: false }],
] as const)('the outcome that a question had: %j by %s', (verdict, via, outcome) => {
  expect(outcomeThen(verdict, via)).toEqual(outcome)
})

test.each([
  [{ toolName: 'Read', input: { file_path: '/a' } }, 'Read(/a)'],
  [{ toolName: 'NotebookEdit', input: { notebook_path: '/a' } }, 'NotebookEdit(/a)'],
  [{ toolName: 'Grep', input: { path: '/a', pattern: 'x' } }, 'Grep(/a)'],
  [{ toolName: 'WebFetch', input: { url: 'https://a' } }, 'WebFetch(https://a)'],
  [{ toolName: 'WebSearch', input: { query: 'x' } }, 'WebSearch(x)'],
  [{ toolName: 'mcp__a__b', input: { other: 1 } }, 'mcp__a__b'],
  [{ toolName: 'Bash', input: { command: 7 } }, 'Bash'],
  [{ toolName: 'Bash', input: null }, 'Bash'],
  [{ toolName: 'Bash', input: 'make' }, 'Bash'],
  [{ toolName: 'Bash', input: { command: 'a'.repeat(194) } }, `Bash(${'a'.repeat(194)})`],
  [{ toolName: 'Bash', input: { command: 'a'.repeat(195) } }, `Bash(${'a'.repeat(195)}…`],
])('[3] an example is named as a person would write it: %#', (call, text) => {
  const tally = new ReplayTally()
  tally.add(asked(1, { call }), 'allowed')
  expect(tally.report().newlyAllowed.examples).toStrictEqual([
    { question: 'web.1', at: 1_001, call: text, status: 'allowed' },
  ])
})

test('[3] a replay of nothing has no oldest question, and the oldest one need not come first', () => {
  expect(new ReplayTally().report()).not.toHaveProperty('oldestAt')
  const tally = new ReplayTally()
  for (const number of [5, 2, 9]) tally.add(asked(number, { wasDenied: true }), 'allowed')
  expect(tally.report()).toMatchObject({ oldestAt: 1_002, newlyAllowed: { count: 3, denied: 3 } })
})
