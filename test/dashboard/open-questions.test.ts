import { expect, test } from 'vitest'
import { afterStep, concernsQuestions } from '../../dashboard/src/hub/open-questions.ts'
import type { PendingQuestion } from '../../src/engine/engine.ts'
import type { FollowedStep } from '../../src/engine/follow-all.ts'
import type { SessionEvent } from '../../src/events/session-event.ts'

const question = (id: string, openedAt: number) => ({ id, openedAt }) as PendingQuestion
const step = (events: object[], asked?: PendingQuestion[]) =>
  ({
    position: 1,
    sessionId: 's',
    events: events.map((event, seq) => ({ seq, at: 0, turn: 1, event: event as SessionEvent })),
    ...(asked ? { asked } : {}),
  }) as unknown as FollowedStep
const opened = (approvalId: string) => ({ type: 'approval.opened', approvalId })
const settled = (approvalId: string) => ({ type: 'approval.settled', approvalId, status: 'allowed' })

const [old, newer] = [question('a', 1), question('b', 2)]

test('a question that comes with its step is added in its place, once', () => {
  const asking = step([opened('a')], [old])
  expect(afterStep([newer], asking)).toEqual({ open: [old, newer], isComplete: true })
  expect(afterStep([old, newer], asking)).toEqual({ open: [old, newer], isComplete: true })
})

test('a settled question goes at once, and the rest is read again', () => {
  expect(afterStep([old, newer], step([settled('a')]))).toEqual({ open: [newer], isComplete: false })
  const both = step([settled('a'), opened('b')], [newer])
  expect(afterStep([old], both)).toEqual({ open: [newer], isComplete: false })
})

test('a step that changes questions and does not have them whole is read', () => {
  expect(afterStep([old], step([opened('b')]))).toEqual({ open: [old], isComplete: false })
  expect(afterStep([old], step([{ type: 'approval.extended', approvalId: 'a' }])).isComplete).toBe(false)
})

test('only what is about questions concerns them', () => {
  expect(concernsQuestions(step([{ type: 'text', text: 'hello' }]))).toBe(false)
  expect(concernsQuestions(step([{ type: 'text', text: 'hello' }, settled('a')]))).toBe(true)
})
