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
