import { expect, test } from 'vitest'
import { unansweredQuestions } from '../../src/hub/question-notifier.ts'
import { allow, opened, settled } from '../rig/cli/event-stories.ts'

test('no notice is sent for a question that was answered in advance', () => {
  expect(unansweredQuestions([opened('1', 't1'), settled('1', allow), opened('2', 't2')])).toEqual([
    opened('2', 't2'),
  ])
})
