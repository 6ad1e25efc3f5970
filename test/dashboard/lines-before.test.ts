import { expect, test } from 'vitest'
import { linesBefore, promptBefore } from '../../dashboard/src/before/lines-before.ts'
import type { StoredEvent } from '../../src/events/event-log.ts'
import type { SessionEvent } from '../../src/events/session-event.ts'
import { asApprovalId } from '../rig/tools/ids.ts'

const [first, second] = [asApprovalId('a1'), asApprovalId('a2')]
const asked = { kind: 'tool', requestId: 'r', toolName: 'Bash' } as const
const EVENTS: SessionEvent[] = [
  { type: 'prompt.accepted', promptId: 'p', content: 'Earlier.' },
  { type: 'text', text: 'Said before the prompt.' },
  { type: 'prompt.accepted', promptId: 'q', content: 'Do it.' },
  { type: 'tool.used', toolUseId: 't0', toolName: 'TodoWrite', input: { topic: 'all', todos: [{ a: 1 }] } },
  { type: 'tool.finished', toolUseId: 't0', isError: true, content: '<tool_use_error>No.</tool_use_error>' },
  { type: 'approval.opened', approvalId: first, ...asked, input: { command: 'touch a' }, toolUseId: 't1' },
  {
    type: 'approval.settled',
    approvalId: first,
    status: 'allowed',
    by: 'laptop',
    decision: { behavior: 'allow', updatedInput: { command: 'touch b' } },
  },
  { type: 'tool.used', toolUseId: 't2', toolName: 'Bash', input: { command: 'touch c' } },
  { type: 'approval.opened', approvalId: second, ...asked, input: { command: 'touch c' }, toolUseId: 't2' },
  { type: 'text', text: 'Said after it.' },
]
const stored: StoredEvent[] = EVENTS.map((event, index) => ({ seq: index + 1, turn: 1, at: 1, event }))
const about = { id: second, toolUseId: 't2' }

test('before a question stand its prompt, and what was done since: no JSON, no tags, and which question was allowed', () => {
  expect(promptBefore(stored, about)).toEqual({ label: 'Prompt', text: 'Do it.' })
  expect(linesBefore(stored, about)).toEqual([
    { label: 'It called TodoWrite', text: 'topic: all', isCode: true },
    { label: 'That failed', text: 'No.' },
    { label: 'Allowed as edited by laptop', text: 'Bash touch b' },
  ])
  expect(promptBefore(stored.slice(3), about)).toBeUndefined()
})

test('a call that was denied stands there once, though its result is an error too; one that was allowed and failed has both lines', () => {
  const call = (
    approvalId: typeof first,
    status: 'allowed' | 'denied',
    toolUseId: string,
  ): SessionEvent[] => [
    {
      type: 'approval.opened',
      approvalId,
      ...asked,
      input: { command: `touch ${toolUseId}` },
      toolUseId,
    },
    {
      type: 'approval.settled',
      approvalId,
      status,
      by: 'laptop',
      decision:
        status === 'denied'
          ? { behavior: 'deny', message: 'Not now' }
          : { behavior: 'allow', updatedInput: { command: `touch ${toolUseId}` } },
    },
    { type: 'tool.finished', toolUseId, isError: true, content: status === 'denied' ? 'Not now' : 'Exit 1' },
  ]
  const events = [...call(first, 'denied', 't1'), ...call(asApprovalId('a3'), 'allowed', 't3')]
  const before = events.map((event, index) => ({ seq: index + 1, turn: 1, at: 1, event }))
  expect(linesBefore(before, about)).toEqual([
    { label: 'Denied by laptop', text: 'Bash touch t1: “Not now”' },
    { label: 'Allowed by laptop', text: 'Bash touch t3' },
    { label: 'That failed', text: 'Exit 1' },
  ])
})
