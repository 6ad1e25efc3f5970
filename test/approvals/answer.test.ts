import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Answer, decisionFrom } from '../../src/approvals/answer.ts'
import type { Approval } from '../../src/approvals/approval.ts'
import { questionsOf } from '../../src/approvals/question.ts'
import { AppError } from '../../src/errors.ts'
import { Decision } from '../../src/events/session-event.ts'
import { anApproval } from '../contracts/rows.ts'

const question = (fields: Partial<Approval> = {}) => anApproval({ input: { command: 'ls' }, ...fields })
const options = (...labels: string[]) => labels.map((label) => ({ label, description: '' }))

describe('a tool', () => {
  test('allow always carries the input, deny always a message', () => {
    expect(decisionFrom(question(), { answers: ['allow'] })).toEqual({
      behavior: 'allow',
      updatedInput: { command: 'ls' },
    })
    expect(decisionFrom(question(), { answers: ['deny'] })).toEqual({
      behavior: 'deny',
      message: 'The answer was no.',
    })
    expect(decisionFrom(question(), { answers: ['deny'], message: '' })).toMatchObject({
      message: 'The answer was no.',
    })
  })

  test('an edited input is not remembered, for the original would be', () => {
    const edited = { answers: ['allow'], remember: 'session', updatedInput: { command: 'ls -l' } } as const
    expect(() => decisionFrom(question(), { ...edited, answers: ['allow'] })).toThrow('cannot be remembered')
    const same = { answers: ['allow'], remember: 'session' as const, updatedInput: { command: 'ls' } }
    expect(decisionFrom(question(), same)).toMatchObject({ behavior: 'allow' })
    expect(decisionFrom(question(), { ...edited, answers: ['deny'] })).toMatchObject({ behavior: 'deny' })
  })

  test('what is remembered is the suggestion of the CLI, for this session and not in its settings', () => {
    const suggestions = [{ type: 'addRules', rules: [], behavior: 'allow', destination: 'localSettings' }]
    const decision = decisionFrom(question({ suggestions }), { answers: ['allow'], remember: 'session' })
    expect(decision).toMatchObject({ updatedPermissions: [{ type: 'addRules', destination: 'session' }] })
    expect(decisionFrom(question(), { answers: ['allow'], remember: 'session' })).not.toHaveProperty(
      'updatedPermissions',
    )
  })
})

test('a plan is approved with or without a mode, and its text is the question', () => {
  const plan = question({ kind: 'plan', toolName: 'ExitPlanMode', input: { plan: '1. dig' } })
  expect(questionsOf(plan)[0]).toMatchObject({
    question: expect.stringContaining('1. dig') as string,
    options: ['approve', 'reject'],
  })
  const updatedPermissions = [{ type: 'setMode', mode: 'acceptEdits', destination: 'session' }]
  expect(decisionFrom(plan, { answers: ['approve'], permissionMode: 'acceptEdits' })).toMatchObject({
    updatedPermissions,
  })
  expect(decisionFrom(plan, { answers: ['approve'] })).not.toHaveProperty('updatedPermissions')
  expect(() => decisionFrom(plan, { answers: ['allow'] })).toThrow('approve, reject')
})

test('answers go to the CLI as a record by the full text of the question, with all of the input', () => {
  const questions = [
    { question: 'Which?', header: 'W', options: options('A', 'B'), multiSelect: false },
    { question: 'And?', header: 'A', options: options('C'), multiSelect: true },
  ]
  const asked = question({ kind: 'question', toolName: 'AskUserQuestion', input: { questions } })
  expect(decisionFrom(asked, { answers: ['B', 'C, free'], message: 'a note' })).toEqual({
    behavior: 'allow',
    updatedInput: {
      questions,
      answers: { 'Which?': 'B', 'And?': 'C, free' },
      annotations: { 'Which?': { notes: 'a note' } },
    },
  })
  expect(() => decisionFrom(asked, { answers: ['B'] })).toThrow('There must be 2 answers')
})

test('a form is accepted with what it is filled in with, declined or cancelled', () => {
  const form = question({ kind: 'form', toolName: 'server', input: { message: 'Who?' } })
  expect(decisionFrom(form, { answers: ['accept'], content: { name: 'x' } })).toEqual({
    behavior: 'form',
    action: 'accept',
    content: { name: 'x' },
  })
  expect(decisionFrom(form, { answers: ['decline'] })).toEqual({ behavior: 'form', action: 'decline' })
})

test('whatever a child asks and whatever is answered, the outcome is a decision or a sentence', () => {
  const kinds = fc.constantFrom<Approval['kind']>('tool', 'plan', 'question', 'form')
  const inputs = fc.dictionary(fc.string(), fc.jsonValue())
  const answers = fc.record(
    {
      answers: fc.array(
        fc.oneof(fc.constantFrom('allow', 'deny', 'approve', 'reject', 'accept', 'cancel'), fc.string()),
        { minLength: 1 },
      ),
    },
    { noNullPrototype: true },
  )
  fc.assert(
    fc.property(kinds, inputs, answers, (kind, input, answer) => {
      const outcome = outcomeOf(() =>
        Decision.parse(decisionFrom(question({ kind, input }), Answer.parse(answer))),
      )
      expect(outcome === 'a decision' || outcome instanceof AppError).toBe(true)
    }),
  )
})

function outcomeOf(decide: () => unknown): unknown {
  try {
    decide()
    return 'a decision'
  } catch (error) {
    return error
  }
}

test('a child that asks nothing can be answered in words', () => {
  const nothing = question({ kind: 'question', toolName: 'AskUserQuestion', input: { questions: [] } })
  expect(questionsOf(nothing)).toMatchObject([{ freeText: true }])
  expect(decisionFrom(nothing, { answers: ['go on'] })).toMatchObject({ behavior: 'allow' })
})

describe('yes or no', () => {
  test.each([
    ['tool', true, 'allow'],
    ['tool', false, 'deny'],
    ['plan', true, 'allow'],
    ['plan', false, 'deny'],
    ['question', false, 'deny'],
  ] as const)('to a %s: %s is %s', (kind, approve, behavior) => {
    expect(decisionFrom(question({ kind }), { approve, message: 'why' })).toMatchObject({ behavior })
  })

  test('to a form is to accept or to decline it', () => {
    const form = question({ kind: 'form' })
    expect(decisionFrom(form, { approve: true })).toMatchObject({ behavior: 'form', action: 'accept' })
    expect(decisionFrom(form, { approve: false })).toMatchObject({ behavior: 'form', action: 'decline' })
  })

  test('a yes answers no question, and saying neither answers nothing', () => {
    const input = { questions: [{ question: 'Which?', options: options('red', 'blue'), multiSelect: false }] }
    const asked = question({ kind: 'question', input })
    expect(() => decisionFrom(asked, { approve: true })).toThrow('red, blue')
    expect(() => decisionFrom(question(), {})).toThrow('approve')
  })
})
