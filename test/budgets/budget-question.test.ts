import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Answer, decisionFrom } from '../../src/approvals/answer.ts'
import { questionsOf } from '../../src/approvals/question.ts'
import { AppError } from '../../src/base/errors.ts'
import { RESOURCES } from '../../src/budgets/budget.ts'
import { budgetChoice, budgetQuestion } from '../../src/budgets/budget-question.ts'
import { anApproval } from '../contracts/rows.ts'

const use = { resource: 'usd', spent: 4.1, limit: 5 } as const
/** What a text means, or the code of the error. */
function outcomeOf(text: string): string {
  try {
    return budgetChoice(use, text).action
  } catch (error) {
    return error instanceof AppError ? error.code : 'another error'
  }
}

const asked = anApproval({ kind: 'budget', toolName: 'Budget', input: use })

test('the question says what was used of what, and has figures to choose from', () => {
  const [question] = questionsOf(asked)
  expect(question).toMatchObject({
    question: expect.stringContaining('have used $4.10 of $5.00') as unknown,
    options: ['raise to $7.50', 'raise to $10.00', 'continue', 'stop'],
    freeText: true,
  })
})

test('every option is an answer, and a raise is always above the limit', () => {
  const uses = fc.record({
    resource: fc.constantFrom(...RESOURCES),
    spent: fc.double({ min: 0, max: 1e9, noNaN: true }),
    limit: fc.double({ min: 1e-4, max: 1e9, noNaN: true }),
  })
  fc.assert(
    fc.property(uses, (given) => {
      const { options } = budgetQuestion(given)
      const choices = options.map((option) => budgetChoice(given, option))
      expect(choices.map(({ action }) => action)).toEqual(['raise', 'raise', 'continue', 'stop'])
      for (const { limit } of choices.slice(0, 2)) expect(limit).toBeGreaterThan(given.limit)
    }),
  )
})

describe('free input', () => {
  test.each([
    ['raise to 20', 20],
    ['raise to $20', 20],
    ['raise by 2.5', 7.5],
    ['raise it to 1k', 1_000],
    ['$12', 12],
    ['raise to 1,250.50 dollars', 1_250.5],
  ])('%s', (text, limit) => {
    expect(budgetChoice(use, text)).toEqual({ action: 'raise', limit })
  })

  test.each([
    'raise',
    'raise to 5',
    'raise to 0',
    '20',
    'raise by 0',
    'raise to -9',
    'raise to 1e30',
    'yes',
    'allow',
    '',
  ])('%j is refused, and the error says what is an answer', (text) => {
    expect(() => budgetChoice(use, text)).toThrow(/say continue, stop, or raise to an amount above \$5\.00/)
  })

  test('whatever is typed is one of the three, or an error of ours', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(['raise', 'continue', 'stop', 'invalid_input']).toContain(outcomeOf(text))
      }),
    )
  })
})

describe('a yes or a no', () => {
  test('are continue and stop', () => {
    expect(decisionFrom(asked, { approve: true })).toMatchObject({ behavior: 'budget', action: 'continue' })
    expect(decisionFrom(asked, { approve: false })).toMatchObject({ behavior: 'budget', action: 'stop' })
  })

  test.each<Answer>([
    { approve: true, remember: 'session' },
    { approve: true, updatedInput: {} },
    { approve: false, message: 'because' },
    { answers: ['allow'] },
  ])('nothing is remembered, edited or said with it: %j', (answer) => {
    expect(() => decisionFrom(asked, answer)).toThrow(AppError)
  })
})
