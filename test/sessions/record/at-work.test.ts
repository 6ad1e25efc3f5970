import { expect, test } from 'vitest'
import { AT_WORK, isAtWork } from '../../../src/sessions/record/at-work.ts'
import { SessionStatus } from '../../../src/sessions/record/session.ts'

test('a session is at work while it runs or waits', () => {
  const atWork = SessionStatus.options.filter((status) => isAtWork({ status }))
  expect(atWork).toEqual(['running', 'waiting'])
  expect(atWork).toEqual(AT_WORK)
})
