import { expect, test } from 'vitest'
import { recentActivity } from '../../../src/api/views/recent-activity.ts'
import type { StoredEvent } from '../../../src/events/event-log.ts'
import type { SessionEvent } from '../../../src/events/session-event.ts'
import { asApprovalId } from '../../rig/tools/ids.ts'

const stored = (...events: SessionEvent[]): StoredEvent[] =>
  events.map((event, index) => ({ seq: index + 1, turn: 1, at: 0, event }))
const streamed = (text: string): SessionEvent => ({ type: 'text.streamed', text })
const used = (toolUseId: string, toolName = 'Bash'): SessionEvent => ({
  type: 'tool.used',
  toolUseId,
  toolName,
  input: {},
})
const finished = (toolUseId: string): SessionEvent => ({
  type: 'tool.finished',
  toolUseId,
  isError: false,
  content: '',
})
const opened = (approvalId: string, toolUseId: string): SessionEvent => ({
  type: 'approval.opened',
  approvalId: asApprovalId(approvalId),
  kind: 'tool',
  requestId: approvalId,
  toolName: 'Bash',
  input: {},
  toolUseId,
})

test('streamed text is shown while it grows, and only once when it is complete', () => {
  expect(recentActivity(stored(streamed('Hel'), streamed('lo'))).lines).toEqual(['Hello'])
  const whole: SessionEvent = { type: 'text', text: 'Hello\nyou' }
  expect(recentActivity(stored(streamed('Hello\nyou'), whole, streamed('And'))).lines).toEqual([
    'Hello',
    'you',
    'And',
  ])
})

test('what a sub-agent says is not what the session says', () => {
  expect(recentActivity(stored({ type: 'text', text: 'inside', parent: 'toolu_1' })).lines).toEqual([])
})

test('a tool that began before these events has its name when it ends in them', () => {
  expect(recentActivity(stored(finished('a')), stored(used('a', 'Write'))).tools).toEqual([
    { toolName: 'Write', status: 'completed' },
  ])
  expect(recentActivity(stored(), stored(used('a'))).tools).toEqual([])
})

test('a tool is running, completed or denied', () => {
  const no: SessionEvent = { type: 'approval.settled', approvalId: asApprovalId('q'), status: 'denied' }
  const events = [
    used('a'),
    used('b', 'Read'),
    used('c', 'Write'),
    finished('b'),
    opened('q', 'c'),
    no,
    finished('c'),
  ]
  expect(recentActivity(stored(...events)).tools).toEqual([
    { toolName: 'Bash', status: 'running' },
    { toolName: 'Read', status: 'completed' },
    { toolName: 'Write', status: 'denied' },
  ])
  const before = stored(used('c', 'Write'), opened('q', 'c'), no)
  expect(recentActivity(stored(finished('c')), before).tools).toEqual([
    { toolName: 'Write', status: 'denied' },
  ])
})

test('the end of a turn is its end only until something begins', () => {
  const ended: SessionEvent = { type: 'turn.ended', outcome: 'done', result: 'well' }
  expect(recentActivity(stored(ended)).ended).toEqual(ended)
  const prompt: SessionEvent = { type: 'prompt.accepted', promptId: 'p', content: 'more' }
  expect(recentActivity(stored(ended, prompt)).ended).toBeUndefined()
})
