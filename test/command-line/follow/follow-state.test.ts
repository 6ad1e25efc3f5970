import { array, assert, constantFrom, integer, oneof, property, record } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { questionsOf } from '../../../src/approvals/question.ts'
import { followLine } from '../../../src/command-line/follow/follow-line.ts'
import {
  type FollowState,
  initialFollowState,
  type Key,
  pressed,
  UNREAD_MS,
  withQuestions,
} from '../../../src/command-line/follow/follow-state.ts'
import type { PendingQuestion } from '../../../src/engine/engine.ts'
import { anApproval } from '../../contracts/rows.ts'

function asked(id: string, fields: Parameters<typeof anApproval>[0] = {}): PendingQuestion {
  const approval = anApproval({ id, toolName: 'Bash', input: { command: id }, ...fields })
  return { ...approval, questions: questionsOf(approval), suggestedRules: [], shortId: `web.${id}` }
}
const choice = asked('3', {
  kind: 'question',
  input: { questions: [{ question: 'Which?', options: [{ label: 'red' }, { label: 'blue' }] }] },
})
const shown = (question: PendingQuestion) => withQuestions(initialFollowState, [question], 0)

/** Presses these keys one after the other, long after the question was painted. */
function type(state: FollowState, ...keys: Key[]) {
  let reaction: ReturnType<typeof pressed> = { state }
  for (const key of keys) reaction = pressed(reaction.state, key, UNREAD_MS)
  return reaction
}
const letters = (text: string): Key[] => Array.from(text, (letter) => ({ text: letter }))

describe('a question about a tool', () => {
  const question = asked('1')
  test.each<[string, Key[], object]>([
    ['a allows it once', letters('a'), { approve: true }],
    ['s and s again allow it for the session', letters('ss'), { approve: true, remember: 'session' }],
    ['d and Enter deny it', [...letters('d'), 'enter'], { approve: false }],
    ['d and a text deny it with a reason', [...letters('dno!'), 'enter'], { approve: false, message: 'no!' }],
  ])('%s', (_, keys, answer) => {
    expect(type(shown(question), ...keys).action).toEqual({ type: 'answer', question, answer })
  })

  test.each<[string, Key[]]>([
    ['s alone, which only shows what it would do', letters('s')],
    ['s and then another key', letters('sa')],
    ['a text with Escape after it', [...letters('dno'), 'escape', 'enter']],
    ['any other key', letters('xyz1')],
    ['Enter', ['enter']],
  ])('is not answered by %s', (_, keys) => {
    expect(type(shown(question), ...keys).action).toBeUndefined()
  })

  test('is shown whole by v', () => {
    expect(type(shown(question), ...letters('v')).action).toEqual({ type: 'show', question })
  })
})

test('a question with options is answered by a number, an option or a text', () => {
  const answerTo = (text: string) => type(shown(choice), ...letters(text), 'enter').action
  expect(answerTo('2')).toMatchObject({ answer: { answers: ['blue'] } })
  expect(answerTo('red')).toMatchObject({ answer: { answers: ['red'] } })
  expect(answerTo('9')).toMatchObject({ answer: { answers: ['9'] } })
  expect(type(shown(choice), 'enter').action).toBeUndefined()
})

test('what is typed while nothing is asked is sent as a prompt', () => {
  expect(type(initialFollowState, ...letters('go on'), 'backspace', 'enter').action).toEqual({
    type: 'say',
    text: 'go o',
  })
})

test('Ctrl-C clears what is typed, then interrupts the turn, then leaves', () => {
  const typing = type(initialFollowState, ...letters('x')).state
  const cleared = pressed(typing, 'ctrl-c', 0)
  expect(cleared).toEqual({ state: { ...typing, draft: '' } })
  const interrupted = pressed(cleared.state, 'ctrl-c', 0)
  expect(interrupted.action).toEqual({ type: 'interrupt' })
  expect(pressed(interrupted.state, 'ctrl-c', 0).action).toEqual({ type: 'leave' })
})

test('when a question is settled elsewhere, what was typed for it does not reach the next', () => {
  const [first, second] = [asked('1'), asked('2')]
  const denying = type(shown(first), ...letters('dno')).state
  const next = withQuestions(denying, [second], 1_000)
  expect(next).toMatchObject({ question: second, step: 'choose', draft: '' })
  // The key that was on its way is dropped, and so is any other before a person could read the question.
  expect(pressed(next, 'enter', 1_000).action).toBeUndefined()
  expect(pressed(next, { text: 'a' }, 1_000 + UNREAD_MS - 1).action).toBeUndefined()
  expect(pressed(next, { text: 'a' }, 1_000 + UNREAD_MS).action).toMatchObject({ question: second })
})

test('no key answers a question that was not on the screen long enough to be read', () => {
  const step = record({
    key: oneof(
      constantFrom<Key>('enter', 'escape', 'backspace'),
      constantFrom('a', 's', 'd', 'v', '1', 'x').map((text): Key => ({ text })),
    ),
    after: integer({ min: 0, max: 2 * UNREAD_MS }),
    settled: constantFrom(true, false, false),
  })
  assert(
    property(array(step, { maxLength: 60 }), (steps) => {
      const questions = Array.from({ length: 61 }, (_, at) => asked(String(at)))
      let [open, now, painted] = [0, 0, 0]
      const answers: { asked: string; shown: string; readFor: number }[] = []
      let state = withQuestions(initialFollowState, questions.slice(open), now)
      for (const { key, after, settled } of steps) {
        now += after
        const { state: next, action } = pressed(state, key, now)
        state = next
        if (action?.type === 'answer')
          answers.push({ asked: action.question.id, shown: String(open), readFor: now - painted })
        if (settled) {
          open += 1
          painted = now
          state = withQuestions(state, questions.slice(open), now)
        }
      }
      expect(answers.filter(({ asked: id, shown: own }) => id !== own)).toEqual([])
      expect(answers.filter(({ readFor }) => readFor < UNREAD_MS)).toEqual([])
      expect(new Set(answers.map(({ asked: id }) => id)).size).toBe(answers.length)
    }),
  )
})

test('the last line says which keys there are, and nothing while an answer is on its way', () => {
  const state = shown(asked('1'))
  expect(followLine(state)).toBe('web.1: [a]llow  allow for this [s]ession  [d]eny  [v]iew all ')
  expect(followLine(type(state, ...letters('dn')).state)).toContain('why not?')
  expect(followLine(type(state, ...letters('a')).state)).toBe('')
  expect(followLine(shown(choice))).toBe('web.3: a number or a text > ')
  expect(followLine(initialFollowState)).toBe('> ')
})
