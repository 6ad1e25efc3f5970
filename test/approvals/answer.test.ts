import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Answer, decisionFrom, endBy, statusOf } from '../../src/approvals/answer.ts'
import type { Approval } from '../../src/approvals/approval.ts'
import { questionsOf } from '../../src/approvals/question.ts'
import { AppError } from '../../src/base/errors.ts'
import { Decision } from '../../src/events/decision.ts'
import { anApproval } from '../contracts/rows.ts'

const remember = (how: 'session' | 'suggested') => ({ answers: ['allow'], remember: how })
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

  test('an edited input is not remembered, because the original would be', () => {
    const edited = { answers: ['allow'], remember: 'session', updatedInput: { command: 'ls -l' } } as const
    expect(() => decisionFrom(question(), { ...edited, answers: ['allow'] })).toThrow('cannot be remembered')
    const same = { answers: ['allow'], remember: 'session' as const, updatedInput: { command: 'ls' } }
    expect(decisionFrom(question(), same)).toMatchObject({ behavior: 'allow' })
  })

  test('S26: whatever is remembered, the child is given no rule, no folder and no mode by it', () => {
    const rules = [{ toolName: 'Bash', ruleContent: 'touch asked *' }]
    const suggestions = [
      { type: 'addRules', rules, behavior: 'allow', destination: 'localSettings' },
      { type: 'addDirectories', directories: ['/project'], destination: 'session' },
      { type: 'setMode', mode: 'acceptEdits', destination: 'session' },
    ]
    const asked = question({ suggestions })
    for (const how of ['suggested', 'session'] as const)
      expect(decisionFrom(asked, remember(how))).not.toHaveProperty('updatedPermissions')
    const without = question({ suggestions: suggestions.slice(1), input: { command: 'sh x' } })
    expect(() => decisionFrom(without, remember('suggested'))).toThrow('use remember "session"')
    expect(decisionFrom(without, remember('session'))).not.toHaveProperty('updatedPermissions')
  })
})

test('a terminal continues after its plan in the mode that asks, unless another is chosen', () => {
  const plan = question({ kind: 'plan', toolName: 'ExitPlanMode', carrier: 'terminal', input: {} })
  const mode = (answer: Answer) => decisionFrom(plan, answer)
  expect(mode({ approve: true })).toMatchObject({
    updatedPermissions: [{ type: 'setMode', mode: 'default' }],
  })
  expect(mode({ approve: true, permissionMode: 'acceptEdits' })).toMatchObject({
    updatedPermissions: [{ type: 'setMode', mode: 'acceptEdits' }],
  })
  expect(mode({ approve: false })).not.toHaveProperty('updatedPermissions')
  const command = question({ carrier: 'terminal' })
  expect(decisionFrom(command, { approve: true })).not.toHaveProperty('updatedPermissions')
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

test('a form is accepted with its content, declined or cancelled', () => {
  const form = question({ kind: 'form', toolName: 'server', input: { message: 'Who?' } })
  expect(decisionFrom(form, { answers: ['accept'], content: { name: 'x' } })).toEqual({
    behavior: 'form',
    action: 'accept',
    content: { name: 'x' },
  })
  expect(decisionFrom(form, { answers: ['decline'] })).toEqual({ behavior: 'form', action: 'decline' })
})

test.each([
  ['tool', { approve: false, answers: ['allow'] }],
  ['tool', { approve: true, answers: ['deny'] }],
  ['plan', { approve: false, answers: ['approve'] }],
  ['question', { approve: false, answers: ['blue'] }],
  ['form', { approve: true, answers: ['cancel'] }],
  ['tool', { answers: ['deny'], updatedInput: {} }],
  ['question', { answers: ['blue'], updatedInput: {} }],
  ['form', { answers: ['accept'], updatedInput: {} }],
  ['plan', { approve: false, permissionMode: 'acceptEdits' }],
  ['question', { answers: ['blue'], permissionMode: 'plan' }],
  ['tool', { answers: ['allow'], content: { a: 1 } }],
  ['form', { answers: ['decline'], content: { a: 1 } }],
  ['tool', { answers: ['deny'], remember: 'session' }],
  ['tool', { answers: ['deny'], remember: 'suggested' }],
  ['plan', { answers: ['approve'], remember: 'suggested' }],
  ['plan', { answers: ['approve'], remember: 'session' }],
  ['question', { answers: ['blue'], remember: 'session' }],
  ['form', { answers: ['accept'], remember: 'session' }],
] as const)('to a %s %j says two things, or more than can be heard, and is no answer', (kind, answer) => {
  const said = Answer.parse(answer)
  const refused = outcomeOf(() => decisionFrom(question({ kind }), said))
  expect(refused).toMatchObject({ code: 'invalid_input' })
  expect(refused).not.toMatchObject({ message: expect.stringContaining('options') as string })
})

test('approve and a matching answer together are valid', () => {
  expect(decisionFrom(question(), { approve: true, answers: ['allow'] })).toMatchObject({ behavior: 'allow' })
  const asked = question({ kind: 'question' })
  expect(decisionFrom(asked, { approve: true, answers: ['x'] })).toMatchObject({ behavior: 'allow' })
  const form = question({ kind: 'form' })
  expect(decisionFrom(form, { approve: false, answers: ['cancel'] })).toMatchObject({ action: 'cancel' })
})

describe('a form with a schema', () => {
  const schema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] }
  const form = question({ kind: 'form', toolName: 'server', input: { message: 'Who?', schema } })

  test.each([undefined, {}, { name: 1 }])('is not accepted with %j', (content) => {
    const refused = outcomeOf(() => decisionFrom(form, { approve: true, content }))
    expect(refused).toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('name: ') as string,
    })
  })

  test('is accepted with valid content, and declined or cancelled without content', () => {
    expect(decisionFrom(form, { approve: true, content: { name: 'Ann' } })).toMatchObject({
      content: { name: 'Ann' },
    })
    expect(decisionFrom(form, { approve: false })).toMatchObject({ action: 'decline' })
  })

  test('that is a page to visit, or nested, is validated by its server', () => {
    const page = question({ kind: 'form', input: { mode: 'url', url: 'https://host/', schema } })
    expect(decisionFrom(page, { approve: true })).toMatchObject({ action: 'accept', content: {} })
    const deep = { type: 'object', properties: { a: { type: 'object' } }, required: ['a'] }
    const more = question({ kind: 'form', input: { message: 'm', schema: deep } })
    expect(decisionFrom(more, { approve: true, content: { a: {} } })).toMatchObject({ content: { a: {} } })
  })
})

test('whatever a child asks and whatever is answered, the outcome is a decision or an AppError', () => {
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

test('a question without content can be answered with free text', () => {
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

  test('accepts or declines a form', () => {
    const form = question({ kind: 'form' })
    expect(decisionFrom(form, { approve: true })).toMatchObject({ behavior: 'form', action: 'accept' })
    expect(decisionFrom(form, { approve: false })).toMatchObject({ behavior: 'form', action: 'decline' })
  })

  test('a yes does not answer a question, and neither field answers nothing', () => {
    const input = { questions: [{ question: 'Which?', options: options('red', 'blue'), multiSelect: false }] }
    const asked = question({ kind: 'question', input })
    expect(() => decisionFrom(asked, { approve: true })).toThrow('red, blue')
    expect(() => decisionFrom(question(), {})).toThrow('approve')
  })
})

describe('to dismiss', () => {
  const asks = {
    questions: [{ question: 'Which?', header: 'h', options: options('a', 'b'), multiSelect: false }],
  }
  const choice = question({ kind: 'question', toolName: 'AskUserQuestion', input: asks })
  const form = question({ kind: 'form', input: { schema: { type: 'object', properties: {} } } })

  test('closes a question or a form, and is neither a yes nor a no', () => {
    const dismissed = decisionFrom(choice, { dismiss: true })
    expect(dismissed).toMatchObject({
      behavior: 'deny',
      message: expect.stringContaining('neither a yes nor a no') as unknown,
    })
    expect(endBy(dismissed, { dismiss: true })).toBe('dismissed')
    const cancelled = decisionFrom(form, { dismiss: true })
    expect(cancelled).toEqual({ behavior: 'form', action: 'cancel' })
    expect(endBy(cancelled, { answers: ['cancel'] })).toBe('dismissed')
    expect(endBy({ behavior: 'form', action: 'decline' }, { answers: ['decline'] })).toBeUndefined()
    expect(endBy({ behavior: 'deny', message: 'no' }, { approve: false })).toBeUndefined()
  })

  test.each([{ answers: ['a'] }, { approve: false }, { message: 'why' }])(
    'takes nothing else: %j',
    (more) => {
      for (const asked of [choice, form])
        expect(() => decisionFrom(asked, { dismiss: true, ...more })).toThrow('give nothing else with it')
    },
  )

  test('a tool or a plan takes a yes or a no', () => {
    for (const kind of ['tool', 'plan'] as const)
      expect(() => decisionFrom(question({ kind }), { dismiss: true })).toThrow('asks for a yes or a no')
  })

  test('is true, or is not there', () => {
    expect(Answer.safeParse({ dismiss: true }).success).toBe(true)
    expect(Answer.safeParse({ dismiss: false }).success).toBe(false)
  })

  test('a note with an answer goes with the first question', () => {
    expect(decisionFrom(choice, { answers: ['a'], message: 'Why' })).toMatchObject({
      updatedInput: { answers: { 'Which?': 'a' }, annotations: { 'Which?': { notes: 'Why' } } },
    })
    const plain = decisionFrom(choice, { answers: ['a'] })
    expect(plain).toMatchObject({ updatedInput: { answers: { 'Which?': 'a' } } })
    expect(JSON.stringify(plain)).not.toContain('annotations')
  })
})

test('an answer about a budget is one, and only a stop is a no', () => {
  const asked = question({
    kind: 'budget',
    toolName: 'Budget',
    input: { resource: 'tokens', spent: 8, limit: 10 },
  })
  const raised = decisionFrom(asked, { answers: ['raise to 20 tokens'] })
  expect(raised).toEqual({ behavior: 'budget', resource: 'tokens', action: 'raise', limit: 20 })
  const outcomes = [raised, decisionFrom(asked, { approve: true }), decisionFrom(asked, { approve: false })]
  expect(outcomes.map(statusOf)).toEqual(['allowed', 'allowed', 'denied'])
  expect(() => decisionFrom(asked, { approve: true, message: 'note' })).toThrow('Nobody reads a message')
  expect(decisionFrom(asked, { approve: true, message: ' ' })).toMatchObject({ action: 'continue' })
})

const isValid = (rememberSeconds: number) =>
  Answer.safeParse({ approve: true, remember: 'session', rememberSeconds }).success

test('an answer is remembered for 30 days at most, and an offered rule is not one of those that were suggested', () => {
  expect([isValid(1), isValid(2_592_000), isValid(2_592_001), isValid(0)]).toEqual([true, true, false, false])
  expect(() => decisionFrom(question(), { approve: true, remember: 'suggested', rememberRule: 'r' })).toThrow(
    'takes the place of the suggested rules',
  )
})
