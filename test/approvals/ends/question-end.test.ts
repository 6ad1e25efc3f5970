import { expect, test } from 'vitest'
import {
  endMeaning,
  endOf,
  type EndedQuestion,
  isTerminalEnd,
} from '../../../src/approvals/ends/question-end.ts'
import {
  DENIED,
  DISMISSED,
  isExplained,
  isOwnSentence,
  repeatedSentence,
} from '../../../src/approvals/ends/model-sentences.ts'

const form = (action: 'accept' | 'decline' | 'cancel') => ({ behavior: 'form', action }) as const

test.each<[EndedQuestion, ReturnType<typeof endOf>]>([
  [{ status: 'pending' }, 'pending'],
  [{ status: 'allowed', kind: 'tool' }, 'allowed'],
  [{ status: 'denied', kind: 'plan' }, 'denied'],
  [{ status: 'allowed', kind: 'question' }, 'answered'],
  [{ status: 'denied', kind: 'question' }, 'declined'],
  [{ status: 'denied', kind: 'question', end: 'dismissed' }, 'dismissed'],
  [{ status: 'allowed', decision: form('accept') }, 'answered'],
  [{ status: 'denied', decision: form('decline') }, 'declined'],
  [{ status: 'denied', decision: form('cancel') }, 'dismissed'],
  [{ status: 'expired', decision: form('cancel'), via: 'expiry' }, 'expired'],
  [{ status: 'withdrawn' }, 'withdrawn'],
  [{ status: 'denied', kind: 'form' }, 'declined'],
  [{ status: 'allowed', kind: 'form' }, 'answered'],
  [{ status: 'withdrawn', end: 'left to the terminal' }, 'left to the terminal'],
  [{ status: 'withdrawn', end: 'decided by a hook' }, 'decided by a hook'],
  [{ status: 'other', via: 'rule' }, 'pending'],
  [{ status: 'withdrawn', supersededBy: 'a2' }, 'superseded'],
  [{ status: 'allowed', via: 'rule' }, 'allowed by rule'],
  [{ status: 'denied', via: 'rule' }, 'denied by rule'],
  [{ status: 'denied', via: 'rule', end: 'repeated' }, 'denied, repeated'],
  [{ status: 'denied', via: 'page', end: 'with others' }, 'denied, with others'],
  [{ status: 'denied', via: 'rule', end: 'too many' }, 'denied, too many'],
])('(asked for: 10, 11) %j ended as: %s', (question, end) => {
  expect(endOf(question)).toBe(end)
})

test('(asked for: 10, 11) ends that no answerer chose say what they mean, each in its own words', () => {
  const silent = ['dismissed', 'expired', 'withdrawn', 'superseded'] as const
  const meanings = silent.map(endMeaning)
  expect(new Set(meanings).size).toBe(silent.length)
  expect(meanings).not.toContain(undefined)
  expect(endMeaning('denied')).toBeUndefined()
})

test('a reason is a text of the answerer; what a client adds by itself is none', () => {
  expect([undefined, '', ' \n', 'The person declined.'].map(isExplained)).toEqual([
    false,
    false,
    false,
    false,
  ])
  expect(isExplained('Use b.')).toBe(true)
})

test('an end in a terminal is no end here', () => {
  expect(isTerminalEnd('answered in the terminal')).toBe(true)
  expect(isTerminalEnd('dismissed')).toBe(false)
})

test('our own sentences are known as such, and one about a repetition says how long ago it was', () => {
  expect([DENIED, DISMISSED].map(isOwnSentence)).toEqual([true, true])
  expect(isOwnSentence('Use b.')).toBe(false)
  expect(repeatedSentence(7)).toContain('denied 7 seconds ago')
})
