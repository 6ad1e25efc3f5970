import { expect, test } from 'vitest'
import { batchSentence } from '../../dashboard/src/answered/batch-sentence.ts'
import { pastLine } from '../../dashboard/src/answered/past-line.ts'
import { askedQuestion } from '../rig/tools/asked-question.ts'

test.each([
  [{ status: 'allowed' }, false, 'was allowed to run: ls'],
  [{ status: 'allowed' }, true, 'was allowed, as edited, to run: ls'],
  [{ status: 'denied' }, false, 'was not allowed to run: ls'],
  [{ status: 'expired' }, false, 'wanted to run: ls'],
  [{ status: 'allowed', kind: 'plan' }, false, 'had a plan'],
] as const)('a settled question is in the past: %#', (fields, isEdited, line) => {
  expect(pastLine(askedQuestion('1', { ...fields, input: { command: 'ls' } }), isEdited)).toBe(line)
})

test('one decision over several says how many it was, or why it was none', () => {
  const questions = [askedQuestion('1'), askedQuestion('2')]
  expect(batchSentence({ questions, approve: true })).toBe('2 questions were allowed:')
  expect(batchSentence({ questions: questions.slice(1), approve: false })).toBe('1 question was denied:')
  expect(batchSentence({ questions, approve: true, problem: 'It is settled.' })).toBe(
    'None was answered. It is settled. They were:',
  )
})
