import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decisionFrom } from '../../../src/approvals/answer.ts'
import { questionsOf } from '../../../src/approvals/question.ts'
import type { PendingQuestion } from '../../../src/engine/engine.ts'
import { answerFrom, declined, formOf } from '../../../src/transports/person/question-form.ts'
import { asApprovalId, asSessionId } from '../../rig/tools/ids.ts'

function pending(kind: PendingQuestion['kind'], input: PendingQuestion['input'] = {}): PendingQuestion {
  const asked = { kind, toolName: 'Bash', input }
  return {
    ...asked,
    id: asApprovalId('a'),
    sessionId: asSessionId('s'),
    turn: 1,
    inputSha256: 'hash',
    requestId: 'r',
    carrier: 'control',
    openedAt: 0,
    status: 'pending',
    delivery: 'none',
    questions: questionsOf(asked),
    suggestedRules: [],
  }
}

const asks = (...questions: object[]) => pending('question', { questions })
const one = (labels: readonly string[], multiSelect = false) => ({
  question: 'Which?',
  header: 'Which',
  options: labels.map((label) => ({ label, description: '' })),
  multiSelect,
})

describe('yes or no', () => {
  test('a reason is passed on, and an empty one is none', () => {
    expect(answerFrom(pending('tool'), { decision: 'deny', reason: 'No.' })).toEqual({
      answers: ['deny'],
      message: 'No.',
      inputSha256: 'hash',
    })
    expect(answerFrom(pending('plan'), { decision: 'approve', reason: ' ' })).toEqual({
      answers: ['approve'],
      inputSha256: 'hash',
    })
  })

  test('the option with a rule allows it and remembers that rule; only for a tool, and only with an id', () => {
    const option = 'allow, and do not ask again in this session (r-0123456789ab): allow tool "x"'
    expect(formOf(pending('tool'), option)?.properties['decision']).toMatchObject({
      enum: ['allow', 'deny', option],
    })
    expect(answerFrom(pending('tool'), { decision: option, reason: 'Fine.' })).toEqual({
      answers: ['allow'],
      remember: 'session',
      rememberRule: 'r-0123456789ab',
      message: 'Fine.',
      inputSha256: 'hash',
    })
    expect(answerFrom(pending('plan'), { decision: option })).toBeUndefined()
    for (const wrong of [` ${option}`, option.replace('r-', 'x-'), option.replace('b)', 'b-yes)')])
      expect(answerFrom(pending('tool'), { decision: wrong })).toBeUndefined()
  })

  test.each([
    undefined,
    null,
    {},
    { decision: 'yes' },
    { decision: ['allow'] },
    'allow',
    { decision: 'approve' },
  ])('what is no answer decides nothing: %j', (content) =>
    expect(answerFrom(pending('tool'), content)).toBeUndefined(),
  )

  test('whatever comes back, nothing but allow allows', () => {
    fc.assert(
      fc.property(fc.anything(), (content) => {
        const allows = answerFrom(pending('tool'), content)?.answers?.[0] === 'allow'
        expect(allows).toBe(false)
      }),
    )
  })
})

describe('questions', () => {
  test('several choices are joined, and own words come last', () => {
    const asked = asks(one(['a', 'b', 'c'], true))
    expect(answerFrom(asked, { answer1: ['c', 'a'], other1: 'd' })?.answers).toEqual(['c, a, d'])
  })

  test('own words stand in place of a single choice', () => {
    expect(answerFrom(asks(one(['a', 'b'])), { answer1: 'a', other1: 'mine' })?.answers).toEqual(['mine'])
  })

  test('one without an answer leaves all of them open', () => {
    const asked = asks(one(['a']), { ...one(['b']), question: 'And?' })
    expect(answerFrom(asked, { answer1: 'a' })).toBeUndefined()
    expect(answerFrom(asked, { answer1: 'a', answer2: 'x' })).toBeUndefined()
    expect(answerFrom(asked, { answer1: 'a', answer2: 'b' })?.answers).toEqual(['a', 'b'])
  })

  test('S10: an option is shown as it is, and chosen by its place', () => {
    const asked = asks(one(['safe', 'sa\u200bfe', 'sa\\u{200b}fe']))
    const shown = ['safe', 'sa\\u{200b}fe', 'sa\\u{200b}fe (3)']
    expect(formOf(asked)?.properties['answer1']).toMatchObject({ enum: shown })
    expect(shown.map((option) => answerFrom(asked, { answer1: option })?.answers?.[0])).toEqual([
      'safe',
      'sa\u200bfe',
      'sa\\u{200b}fe',
    ])
  })

  test('one without options is answered in own words', () => {
    const asked = asks(one([]))
    expect(Object.keys(formOf(asked)?.properties ?? {})).toEqual(['other1'])
    expect(answerFrom(asked, { other1: 'this' })?.answers).toEqual(['this'])
  })
})

describe("a form of a child's MCP server", () => {
  const schema = {
    type: 'object',
    properties: {
      name: { type: 'string', title: 'N\u202ename', minLength: 2, pattern: '(a+)+$' },
      size: { type: 'string', enum: ['s', 'l'] },
      count: { type: 'integer', minimum: 1 },
      tags: { type: 'array', items: { type: 'string', enum: ['x', 'y'] } },
    },
    required: ['name'],
  }

  test('is asked as it is, but for what cannot be seen and what would run', () => {
    expect(formOf(pending('form', { message: 'm', schema }))).toEqual({
      ...schema,
      properties: { ...schema.properties, name: { type: 'string', title: 'N\\u{202e}name', minLength: 2 } },
    })
  })

  test.each([
    [{ name: 'Ann', count: 2, tags: ['x'] }, true],
    [{ name: 'A' }, false],
    [{}, false],
    [{ name: 'Ann', size: 'm' }, false],
    [{ name: 'Ann', count: 1.5 }, false],
    [{ name: 'Ann', tags: ['z'] }, false],
    ['Ann', false],
  ])('%j fits: %s', (content, fits) => {
    const answer = answerFrom(pending('form', { message: 'm', schema }), content)
    expect(answer).toEqual(fits ? { answers: ['accept'], content, inputSha256: 'hash' } : undefined)
  })

  test.each([
    ['a page to visit', { message: 'm', mode: 'url', url: 'https://example.com' }],
    ['no schema', { message: 'm' }],
    ['fields in fields', { message: 'm', schema: { type: 'object', properties: { a: { type: 'object' } } } }],
    [
      'a choice that cannot be seen',
      { message: 'm', schema: { type: 'object', properties: { a: { type: 'string', enum: ['a\u200b'] } } } },
    ],
  ])('with %s is not put', (_, input) => {
    expect(formOf(pending('form', input))).toBeUndefined()
  })
})

test('who declines says no to each kind', () => {
  const no = { behavior: 'deny', message: 'The person declined.' }
  for (const asked of [pending('tool'), pending('plan'), asks(one(['a']), one(['b']))])
    expect(decisionFrom(asked, declined(asked))).toEqual(no)
  const form = pending('form')
  expect(decisionFrom(form, declined(form))).toEqual({ behavior: 'form', action: 'decline' })
})
