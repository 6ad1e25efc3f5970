import { expect, test } from 'vitest'
import { resultIn } from '../../dashboard/src/answered/call-result.ts'
import type { SessionEvent } from '../../src/events/session-event.ts'

test('the result of a call is found by its id, and no other result is taken for it', () => {
  const events: SessionEvent[] = [
    { type: 'tool.used', toolUseId: 't1', toolName: 'Bash', input: {} },
    { type: 'tool.finished', toolUseId: 't0', isError: true, content: 'Exit 1' },
    { type: 'tool.finished', toolUseId: 't1', isError: false, content: 'ok' },
  ]
  const stored = events.map((event, index) => ({ seq: index + 1, turn: 1, at: 1, event }))
  expect(resultIn(stored, 't1')).toMatchObject({ content: 'ok' })
  expect(resultIn(stored, 't2')).toBeUndefined()
  expect(resultIn(stored, undefined)).toBeUndefined()
})
