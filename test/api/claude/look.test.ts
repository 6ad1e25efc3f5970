import { expect, test } from 'vitest'
import { lastDeed } from '../../../src/api/claude/look.ts'
import type { SessionEvent } from '../../../src/events/session-event.ts'
import { accepted, allow, opened, said, settled } from '../../rig/event-stories.ts'

const from = (...events: SessionEvent[]) =>
  lastDeed(events.map((event, at) => ({ seq: at + 1, turn: 1, at: 0, event })))

test('what came before a deed of somebody was seen; what was answered in advance is nobody at work', () => {
  const began = [accepted('p'), said('1'), opened('1', 't1')]
  expect(from(...began, { ...settled('1', allow), by: 'ann' }, said('2'))).toBe(4)
  expect(from(...began, { ...settled('1', allow), by: 'ann', grantId: 'g1' }, said('2'))).toBe(1)
})
