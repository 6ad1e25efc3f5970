import { expect, test } from 'vitest'
import { initialRunState } from '../../../src/child/state/run-state.ts'
import { takeIn } from '../../rig/cli/take-in.ts'
import type { SessionEvent } from '../../../src/events/session-event.ts'

const call = { toolUseId: 'call', toolName: 'Bash' }
const seen = (opinion: 'none' | 'ask'): SessionEvent => ({
  type: 'tool.seen',
  requestId: 'hook',
  opinion,
  ...call,
})
const finished = (isError: boolean): SessionEvent => ({
  type: 'tool.finished',
  toolUseId: 'call',
  isError,
  content: 'text',
})
const types = (...events: SessionEvent[]) => takeIn(initialRunState, events).events.map(({ type }) => type)

test('a call that ran although nobody was asked is reported as unasked, before its end', () => {
  expect(types(seen('none'), finished(false))).toEqual(['tool.seen', 'tool.unasked', 'tool.finished'])
  expect(types(seen('none'), finished(true))).toEqual(['tool.seen', 'tool.unasked', 'tool.finished'])
})

test('a call that a rule refused before our question could come is reported as refused, not as unasked', () => {
  const { events } = takeIn(initialRunState, [seen('ask'), finished(true)])
  expect(events[1]).toEqual({ type: 'tool.refused', message: 'text', ...call })
})

test('a call that ran past our question is reported as unasked', () => {
  expect(types(seen('ask'), finished(false))).toEqual(['tool.seen', 'tool.unasked', 'tool.finished'])
})

test('a refusal that the child reported itself is reported once', () => {
  const refused: SessionEvent = { type: 'tool.refused', message: 'no', ...call }
  expect(types(seen('none'), refused, finished(true))).toEqual(['tool.seen', 'tool.refused', 'tool.finished'])
})
