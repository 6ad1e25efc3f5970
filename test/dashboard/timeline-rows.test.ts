import { expect, test } from 'vitest'
import { familyOf } from '../../dashboard/src/sessions/session-tree.ts'
import { decidedInput, outcomeOf, timelineOf } from '../../dashboard/src/sessions/timeline-rows.ts'
import { questionsOf } from '../../src/approvals/question.ts'
import type { PendingQuestion } from '../../src/engine/engine.ts'
import { anApproval, aSession } from '../contracts/rows.ts'

function asked(fields: Parameters<typeof anApproval>[0]): PendingQuestion {
  const approval = anApproval(fields)
  return { ...approval, questions: questionsOf(approval), suggestedRules: [] }
}

test('open and settled questions are in the order in which they were asked, each once', () => {
  const decided = [
    asked({ id: 'c', openedAt: 3, status: 'denied' }),
    asked({ id: 'a', openedAt: 1, status: 'allowed' }),
  ]
  const open = [asked({ id: 'b', openedAt: 2 }), asked({ id: 'c', openedAt: 3 })]
  expect(timelineOf(decided, open).map(({ id, status }) => [id, status])).toEqual([
    ['a', 'allowed'],
    ['b', 'pending'],
    ['c', 'denied'],
  ])
})

test('only a call that the child has confirmed ran, and a name is shown with what it hides', () => {
  const allowed = { status: 'allowed', by: 'lap\u202Etop' } as const
  expect(outcomeOf(asked({ ...allowed, delivery: 'acknowledged' }))).toBe('allowed by lap\\u{202e}top, ran')
  expect(outcomeOf(asked({ ...allowed, delivery: 'sent' }))).toBe('allowed by lap\\u{202e}top')
  const edited = asked({
    ...allowed,
    delivery: 'acknowledged',
    input: { command: 'a' },
    decision: { behavior: 'allow', updatedInput: { command: 'b' } },
  })
  expect(outcomeOf(edited)).toBe('allowed as edited by lap\\u{202e}top, ran')
  expect(decidedInput(edited)).toEqual({ command: 'b' })
  expect(outcomeOf(asked({ status: 'expired' }))).toBe('expired')
  expect(outcomeOf(asked({}))).toBe('waits')
})

test('a family is a session and all below it, also where ids go in a circle', () => {
  const all = [
    aSession({ id: 'a', parentId: 'c' }),
    aSession({ id: 'b', parentId: 'a' }),
    aSession({ id: 'c', parentId: 'b' }),
    aSession({ id: 'other' }),
  ]
  expect([...familyOf('b', all)]).toEqual(['b', 'c', 'a'])
  expect([...familyOf('other', all)]).toEqual(['other'])
})
