import { expect, test } from 'vitest'
import { AT_WORK, isAtWork, needsAnswer } from '../../../src/sessions/record/at-work.ts'
import { SessionStatus } from '../../../src/sessions/record/session.ts'

test('a session is at work while it runs or waits', () => {
  const atWork = SessionStatus.options.filter((status) => isAtWork({ status }))
  expect(atWork).toEqual(['running', 'waiting'])
  expect(atWork).toEqual(AT_WORK)
})

test('a session needs an answer while it waits, or while something about its budget is open', () => {
  const needing = SessionStatus.options.filter((status) => needsAnswer({ status }))
  expect(needing).toEqual(['waiting'])
  expect(needsAnswer({ status: 'running', budgetQuestions: 1 })).toBe(true)
  expect(needsAnswer({ status: 'running', budgetQuestions: 0 })).toBe(false)
})
