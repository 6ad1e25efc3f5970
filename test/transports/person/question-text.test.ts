import { expect, test } from 'vitest'
import type { PendingQuestion } from '../../../src/engine/engine.ts'
import { questionText } from '../../../src/transports/person/question-text.ts'
import { anApproval, aSession } from '../../contracts/rows.ts'

const asked = (fields: Partial<PendingQuestion>): PendingQuestion => ({
  ...anApproval({ input: { command: 'touch a' } }),
  questions: [],
  suggestedRules: [],
  ...fields,
})

test('S26: a person reads in which folder it would run and which rules are suggested, after what it is', () => {
  const cwd = '/project/sub\nFolder: /elsewhere'
  const lines = questionText(
    asked({ cwd, suggestedRules: ['Bash(touch *)', 'Bash(a *)'] }),
    aSession(),
  ).split('\n')
  expect(lines.slice(-4)).toEqual([
    'command: touch a',
    '',
    'Folder: /project/sub Folder: /elsewhere',
    'Suggested rules: Bash(touch *), Bash(a *)',
  ])
  expect(questionText(asked({}), aSession()).split('\n').at(-1)).toBe('command: touch a')
})

/** The lines after the first, which says who asks. */
const linesOf = (fields: Partial<PendingQuestion>) =>
  questionText(asked(fields), aSession()).split('\n').slice(1)

const firstLine = (session: object) => questionText(asked({}), aSession(session)).split('\n')[0]

test('the first line says which session asks, by its name if it has one, and where it works', () => {
  expect(firstLine({})).toBe('Claude Code session s1 in /project:')
  expect(firstLine({ name: 'builder' })).toBe('Claude Code session builder in /project:')
})

test('a tool call says who wants it, and why if that is known', () => {
  expect(linesOf({})).toEqual(['It wants to use Bash.', '', 'command: touch a'])
  expect(linesOf({ agentId: 'a1', reason: 'outside\nof the project' }).slice(0, 3)).toEqual([
    'A sub-agent of it wants to use Bash.',
    '(outside of the project)',
    '',
  ])
})

test('values that are no texts are shown as JSON, and a second line of a text is indented', () => {
  const input = { timeout: 5, lines: ['a'], script: 'one\ntwo: 2' }
  expect(linesOf({ input }).slice(2)).toEqual(['timeout: 5', 'lines: ["a"]', 'script: one', '    two: 2'])
})

test('a plan is shown whole, with what else there is beside it', () => {
  const head = ['It has made a plan, and asks whether to begin.', '']
  expect(linesOf({ kind: 'plan', input: { plan: 'First\nsecond' } })).toEqual([...head, 'First', 'second'])
  expect(linesOf({ kind: 'plan', input: { plan: 'First', effort: 2 } })).toEqual([
    ...head,
    'First',
    '',
    'effort: 2',
  ])
  expect(linesOf({ kind: 'plan', input: {} })).toEqual([...head, '(without a text)'])
})

test('questions are numbered, with what each option means if that is said', () => {
  const questions = [
    {
      question: 'Which\ncolour?',
      options: ['red', 'blue'],
      descriptions: ['warm', ''],
      multiSelect: false,
      freeText: true,
    },
    { question: 'Why?', options: ['so'], multiSelect: false, freeText: true },
  ]
  expect(linesOf({ kind: 'question', questions })).toEqual([
    '',
    '1. Which',
    '    colour?',
    '   - red: warm',
    '   - blue',
    '',
    '2. Why?',
    '   - so',
  ])
})

test('a form of an MCP server says which server asks, and shows no message where there is none', () => {
  const head = ['Its MCP server files asks:', '']
  const form = { kind: 'form', toolName: 'files' } as const
  expect(linesOf({ ...form, input: { message: 'Where\nto?' } })).toEqual([...head, 'Where', '    to?'])
  expect(linesOf({ ...form, input: {} })).toEqual([...head, ''])
})
