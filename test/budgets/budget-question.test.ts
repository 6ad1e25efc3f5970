import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Answer, decisionFrom } from '../../src/approvals/answer.ts'
import { questionsOf } from '../../src/approvals/question.ts'
import { AppError } from '../../src/base/errors.ts'
import { RESOURCES } from '../../src/budgets/budget.ts'
import { budgetChoice, budgetQuestion, useIn } from '../../src/budgets/budget-question.ts'
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
    [' raise 2M tokens ', 2_000_000],
    ['raise 9', 9],
    ['to 9', 9],
    ['by $4', 9],
    ['by 4 calls', 9],
    ['raise to 1000000000000000', 1e15],
  ])('%s', (text, limit) => {
    expect(budgetChoice(use, text)).toEqual({ action: 'raise', limit })
  })

  test.each([
    'raise',
    'raise to 5',
    'please raise to 20',
    'raise to 20 euros',
    'raise to 20 usd now',
    'raise to 1000000000000001',
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

test('a refused text is quoted up to 80 characters', () => {
  expect(() => budgetChoice(use, 'x'.repeat(200))).toThrow(`"${'x'.repeat(80)}" is no answer`)
})

test('the use that a question is about is read from its input', () => {
  for (const resource of RESOURCES)
    expect(useIn({ resource, spent: 1, limit: '2' })).toEqual({ resource, spent: 1, limit: 2 })
  expect(useIn({ resource: 'other', spent: 1, limit: 2 }).resource).toBe('usd')
})

test('each option is described, and that any amount will do is said once', () => {
  const { options, descriptions } = budgetQuestion(use)
  expect(descriptions).toHaveLength(options.length)
  expect(descriptions.map((text) => /any other amount/i.test(text))).toEqual([false, true, false, false])
  expect(descriptions[0]).toBe('')
  expect(descriptions[3]).toMatch(/ends now/)
})

const first = (resource: 'usd' | 'tokens', limit: number) =>
  budgetChoice({ resource, spent: 0, limit }, budgetQuestion({ resource, spent: 0, limit }).options[0] ?? '')
    .limit

test('a raise is at least one cent, or one of anything else, above the limit', () => {
  expect(first('usd', 0.01)).toBe(0.02)
  expect(first('usd', 0.001)).toBe(0.01)
  expect(first('tokens', 1)).toBe(2)
  expect(first('tokens', 0.5)).toBe(1)
})
