import { describe, expect, test } from 'vitest'
import { Answer, decisionFrom } from '../../src/approvals/answer.ts'
import { requireConsistent, requireValidAnswers } from '../../src/approvals/validate-answer.ts'
import { anApproval } from '../contracts/rows.ts'

const question = (options: readonly string[], freeText: boolean) => ({
  question: 'Which?',
  options,
  freeText,
  multiSelect: false,
})
const isValid = (options: readonly string[], freeText: boolean, answer: string) => {
  try {
    requireValidAnswers([question(options, freeText)], [answer])
    return true
  } catch {
    return false
  }
}

describe('an answer to a question', () => {
  test.each([
    [['red', 'blue'], false, 'red', true],
    [['red', 'blue'], false, 'green', false],
    [['red', 'blue'], false, 'Red', false],
    [['red', 'blue'], true, 'green', true],
    [[], true, 'green', true],
    [[], false, 'green', false],
  ])('with the options %j, free: %s, is %j: %s', (options, freeText, answer, valid) => {
    expect(isValid(options, freeText, answer)).toBe(valid)
  })

  test.each(['allow', 'deny', 'approve', 'reject', 'accept', 'decline', 'cancel', ' Allow ', 'DENY'])(
    'is not %j where there are other options: whoever says so has not read it',
    (word) => {
      expect(isValid(['red', 'blue'], true, word)).toBe(false)
      expect(isValid([], true, word)).toBe(true)
      expect(isValid(['Allow', 'Deny', 'approve', 'Reject', 'accept', 'decline', 'cancel'], true, word)).toBe(
        true,
      )
    },
  )

  test('that is none of the options is refused with the options', () => {
    expect(() => requireValidAnswers([question(['red', 'blue'], false)], ['green'])).toThrow(
      expect.objectContaining({
        message: '"green" is not one of the options: red, blue.',
        data: { options: ['red', 'blue'] },
      }) as Error,
    )
  })

  test('is one for each question', () => {
    const long = { ...question(['red'], true), question: `${'x'.repeat(80)}y` }
    const questions = [long, question([], true)]
    expect(() => requireValidAnswers(questions, ['red', 'why'])).not.toThrow()
    expect(() => requireValidAnswers(questions, ['red'])).toThrow(
      `not 1. "${'x'.repeat(80)}": red; "Which?": `,
    )
  })
})

const message = (text: string) => ({ message: text })

describe('a message', () => {
  test('with a yes is of at most 8,000 characters, for a tool and for a plan', () => {
    for (const kind of ['tool', 'plan'] as const) {
      const says = (length: number, yes: boolean) => () =>
        requireConsistent(anApproval({ kind }), message('x'.repeat(length)), yes)
      expect(says(8_000, true)).not.toThrow()
      expect(says(8_001, true)).toThrow('at most 8000 characters')
      expect(says(8_001, false)).not.toThrow()
    }
    expect(() =>
      requireConsistent(anApproval({ kind: 'question' }), message('x'.repeat(9_000)), true),
    ).not.toThrow()
  })

  test('has no place in a form that is accepted', () => {
    const form = anApproval({ kind: 'form' })
    expect(() => requireConsistent(form, message('why'), true)).toThrow('leave it out')
    expect(() => requireConsistent(form, message('why'), false)).not.toThrow()
    expect(() => requireConsistent(form, message('  '), true)).not.toThrow()
  })
})

const answer = (inputSha256?: string) =>
  decisionFrom(anApproval({ inputSha256: 'ab' }), { approve: true, inputSha256 })

describe('what the answerer was shown', () => {
  test('is what is asked, or nothing is decided', () => {
    expect(answer('ab')).toMatchObject({ behavior: 'allow' })
    expect(answer()).toMatchObject({ behavior: 'allow' })
    expect(() => answer('cd')).toThrow('What you were shown')
  })
})

test('nobody changes a session to the mode of its own CLI by an answer', () => {
  expect(Answer.safeParse({ approve: true, permissionMode: 'acceptEdits' }).success).toBe(true)
  expect(Answer.safeParse({ approve: true, permissionMode: 'cli' }).success).toBe(false)
})
