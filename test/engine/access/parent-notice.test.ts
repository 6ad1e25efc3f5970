import { expect, test } from 'vitest'
import { endNotice, questionNotice, turnEndId } from '../../../src/engine/access/parent-notice.ts'
import { SessionStatus } from '../../../src/sessions/record/session.ts'
import { anApproval, aSession } from '../../contracts/rows.ts'

test('an end has an id of its session and turn, and only a turn that was there has ended', () => {
  const ids = SessionStatus.options.map((status) => [status, turnEndId(aSession({ status, turn: 3 }))])
  expect(Object.fromEntries(ids)).toMatchObject({
    idle: undefined,
    running: undefined,
    waiting: undefined,
    done: 's1:3',
    failed: 's1:3',
    interrupted: 's1:3',
  })
  expect(turnEndId(aSession({ status: 'done', turn: 0 }))).toBeUndefined()
})

test('a notice says which session, and nothing in the words of a child', () => {
  expect(endNotice(aSession({ status: 'failed' }))).toBe(
    'Plexus: session s1 has ended (failed); call claude_status.',
  )
  expect(endNotice(aSession({ name: 'a" \u202eb', status: 'done' }))).toMatch(
    /^Plexus: session "a\\" [^\u202e]*b" \(s1\) has ended/,
  )
  expect(endNotice(aSession({ name: 'x'.repeat(101) }))).toContain(`"${'x'.repeat(100)}" (s1)`)
})

test.each([
  ['tool', 'Bash', 'tool Bash'],
  ['form', 'my.server:1-a', 'form my.server:1-a'],
  ['tool', 'a b\nc', 'tool a_b_c'],
  ['tool', 'x'.repeat(101), `tool ${'x'.repeat(100)}`],
  ['plan', 'ExitPlanMode', 'plan'],
  ['question', 'AskUserQuestion', 'question'],
] as const)('a question about a %s %s is named %s', (kind, toolName, what) => {
  expect(questionNotice(aSession(), anApproval({ kind, toolName }))).toBe(
    `Plexus: session s1 waits for an answer (question a1, ${what}); call claude_status.`,
  )
})
