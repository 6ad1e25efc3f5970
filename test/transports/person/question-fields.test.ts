import { describe, expect, test } from 'vitest'
import type { PendingQuestion } from '../../../src/engine/engine.ts'
import { answerFrom, formOf } from '../../../src/transports/person/question-form.ts'
import { aQuestion } from '../../rig/clients/question-engine.ts'

const pending = (kind: PendingQuestion['kind'], input: PendingQuestion['input'] = {}) =>
  aQuestion({ kind, input })
const asks = (...questions: object[]) => pending('question', { questions })
const one = (labels: readonly string[], multiSelect = false) => ({
  question: 'Which?',
  header: 'Which',
  options: labels.map((label) => ({ label, description: '' })),
  multiSelect,
})

describe('yes or no', () => {
  test.each([
    ['tool', ['allow', 'deny'], 'do instead'],
    ['plan', ['approve', 'reject'], 'be different'],
  ] as const)('the form of a %s has a decision, and room for a reason', (kind, decisions, why) => {
    expect(formOf(pending(kind))).toEqual({
      type: 'object',
      properties: {
        decision: { type: 'string', title: 'Decision', enum: decisions },
        reason: { type: 'string', title: 'Reason', description: expect.stringContaining(why) as unknown },
      },
      required: ['decision'],
    })
  })

  test('a question without options cannot be decided', () => {
    expect(answerFrom({ ...pending('tool'), questions: [] }, { decision: 'allow' })).toBeUndefined()
  })
})

describe('questions', () => {
  test('have a field for the choice and one for own words, under a short title', () => {
    const long = { question: `${'w'.repeat(79)}\n${'x'.repeat(9)}`, options: [] }
    const { properties } = formOf(asks(one(['a', 'b']), one(['a', 'b'], true), long)) ?? {}
    const other = { type: 'string', title: 'Which: another answer', description: 'In your own words.' }
    expect(properties).toEqual({
      answer1: { type: 'string', title: 'Which', enum: ['a', 'b'] },
      other1: other,
      answer2: { type: 'array', title: 'Which', items: { type: 'string', enum: ['a', 'b'] } },
      other2: other,
      other3: { type: 'string', title: `${'w'.repeat(79)} ` },
    })
  })

  test('are not answered by blanks, nor by what is no form', () => {
    const asked = asks(one(['a', 'b']))
    expect(answerFrom(asked, { answer1: 'a', other1: '  ' })?.answers).toEqual(['a'])
    expect(answerFrom(asked, { other1: ' mine ' })?.answers).toEqual(['mine'])
    for (const content of [undefined, 'a', ['a'], {}]) expect(answerFrom(asked, content)).toBeUndefined()
  })
})
