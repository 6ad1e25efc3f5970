import { describe, expect, test } from 'vitest'
import { questionsOf } from '../../src/approvals/question.ts'
import { anApproval } from '../contracts/rows.ts'

const sentence = (toolName: string, input: Record<string, unknown>) =>
  questionsOf(anApproval({ toolName, input }))[0]?.question

describe('the sentence about a tool', () => {
  test.each([
    ['Bash', { command: 'ls', file_path: '/a' }, 'Claude wants to use Bash: ls'],
    ['Read', { file_path: '/a', url: 'http://host' }, 'Claude wants to use Read: /a'],
    ['WebFetch', { url: 'http://host', pattern: '*' }, 'Claude wants to use WebFetch: http://host'],
    ['Glob', { pattern: '*.ts' }, 'Claude wants to use Glob: *.ts'],
    ['Agent', { prompt: 'dig' }, 'Claude wants to use Agent'],
    ['Bash', { command: 7 }, 'Claude wants to use Bash'],
    ['Bash', { command: '', pattern: 'x' }, 'Claude wants to use Bash: x'],
  ])('of %s with %j', (toolName, input, text) => {
    expect(sentence(toolName, input)).toBe(text)
  })
})

const one = (kind: 'tool' | 'plan' | 'form', input: Record<string, unknown>) =>
  questionsOf(anApproval({ kind, toolName: 'files', input }))

test('a tool, a plan and a form have one question each, to be answered by one of the options', () => {
  const choice = { multiSelect: false, freeText: false }
  expect(one('tool', {})).toEqual([
    { question: 'Claude wants to use files', options: ['allow', 'deny'], ...choice },
  ])
  expect(one('form', { message: 'Which?' })).toEqual([
    {
      question: 'The MCP server files asks: Which?',
      options: ['accept', 'decline', 'cancel'],
      ...choice,
    },
  ])
  expect(one('plan', { plan: 'dig' })).toMatchObject([
    { question: expect.stringMatching(/:\n\ndig\n\n/) as string, options: ['approve', 'reject'], ...choice },
  ])
  expect(one('plan', {})[0]?.question).toContain('(without a text)')
})

const asked = (input: Record<string, unknown>) => questionsOf(anApproval({ kind: 'question', input }))

describe('what a child asks', () => {
  test('is each of its questions, with its options', () => {
    const options = [{ label: 'red', description: 'warm' }, { label: 'blue' }]
    const questions = [
      { question: 'Which?', header: 'Colour', options, multiSelect: true },
      { question: 'Why?' },
    ]
    expect(asked({ questions })).toEqual([
      {
        question: 'Which?',
        header: 'Colour',
        options: ['red', 'blue'],
        descriptions: ['warm', ''],
        multiSelect: true,
        freeText: true,
      },
      {
        question: 'Why?',
        header: undefined,
        options: [],
        descriptions: [],
        multiSelect: false,
        freeText: true,
      },
    ])
  })

  test.each([{}, { questions: [] }, { questions: [{ header: 'x' }] }, { questions: 'Which?' }])(
    'is the whole of %j where that makes no sense',
    (input) => {
      expect(asked(input)).toEqual([
        { question: JSON.stringify(input), options: [], multiSelect: false, freeText: true },
      ])
    },
  )
})
