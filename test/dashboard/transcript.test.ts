import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { EMPTY, found, withEvents } from '../../dashboard/src/transcript/transcript.ts'
import type { StoredEvent } from '../../src/events/event-log.ts'
import type { SessionEvent } from '../../src/events/session-event.ts'
import { asApprovalId } from '../rig/tools/ids.ts'

const stored = (events: readonly SessionEvent[]): StoredEvent[] =>
  events.map((event, index) => ({ seq: index + 1, turn: 1, at: 1_000 + index, event }))

const approvalId = asApprovalId('a1')
const STORY = stored([
  { type: 'prompt.accepted', promptId: 'p', content: 'Do it.' },
  { type: 'text.streamed', text: 'I will' },
  { type: 'text', text: 'I will do it.' },
  { type: 'tool.used', toolUseId: 't1', toolName: 'Bash', input: { command: 'touch x' } },
  {
    type: 'approval.opened',
    approvalId,
    kind: 'tool',
    requestId: 'r',
    toolName: 'Bash',
    input: {},
    toolUseId: 't1',
  },
  { type: 'approval.settled', approvalId, status: 'allowed', by: 'laptop' },
  { type: 'tool.finished', toolUseId: 't1', isError: false, content: 'created' },
  { type: 'text', text: 'From below.', parent: 't1' },
  { type: 'turn.ended', outcome: 'failed', error: { code: 'x', message: 'It broke.' } },
])

test('a call is one item with its question, its answer and its result', () => {
  expect(withEvents(EMPTY, STORY).items).toMatchObject([
    { type: 'prompt', text: 'Do it.' },
    { type: 'text', text: 'I will do it.', isAgent: false },
    {
      type: 'call',
      toolName: 'Bash',
      supervision: 'allowed by laptop',
      approvalId: 'a1',
      result: { isError: false, text: 'created' },
    },
    { type: 'text', text: 'From below.', isAgent: true },
    { type: 'turn', turn: 1, isBad: true, text: 'Turn 1: It broke.' },
  ])
})

test('a call that was edited shows what ran, and keeps what was asked; a question shows its answer', () => {
  const opened = { type: 'approval.opened', requestId: 'r', toolUseId: 't1' } as const
  const edit = withEvents(
    EMPTY,
    stored([
      { type: 'tool.used', toolUseId: 't1', toolName: 'Bash', input: { command: 'a' } },
      { ...opened, approvalId, kind: 'tool', toolName: 'Bash', input: { command: 'a' } },
      {
        type: 'approval.settled',
        approvalId,
        status: 'allowed',
        by: 'laptop',
        decision: { behavior: 'allow', updatedInput: { command: 'b' } },
      },
    ]),
  )
  expect(edit.items).toMatchObject([
    { input: { command: 'b' }, proposed: { command: 'a' }, supervision: 'allowed as edited by laptop' },
  ])
  const reply = withEvents(
    EMPTY,
    stored([
      { type: 'tool.used', toolUseId: 't1', toolName: 'AskUserQuestion', input: {} },
      { ...opened, approvalId, kind: 'question', toolName: 'AskUserQuestion', input: {} },
      {
        type: 'approval.settled',
        approvalId,
        status: 'allowed',
        decision: { behavior: 'allow', updatedInput: { answers: { 'Which?': 'Postgres' } } },
      },
    ]),
  )
  expect(reply.items).toMatchObject([{ answers: ['Postgres'], supervision: 'answered' }])
  expect(reply.items[0]).not.toHaveProperty('proposed')
})

test('what is being written is shown until it is whole', () => {
  expect(withEvents(EMPTY, STORY.slice(0, 2)).streaming).toBe('I will')
  expect(withEvents(EMPTY, STORY.slice(0, 3)).streaming).toBe('')
})

test('however the events arrive, in pieces or twice, the transcript is the same', () => {
  const whole = withEvents(EMPTY, STORY)
  fc.assert(
    fc.property(fc.array(fc.nat({ max: STORY.length }), { maxLength: 6 }), (cuts) => {
      let transcript = EMPTY
      for (const cut of [...cuts.toSorted((a, b) => a - b), STORY.length])
        transcript = withEvents(transcript, STORY.slice(0, cut))
      expect(transcript).toEqual(whole)
    }),
  )
})

test('a search finds texts, calls and results, whatever their case', () => {
  const { items } = withEvents(EMPTY, STORY)
  expect([found(items, 'TOUCH'), found(items, 'do it'), found(items, 'created'), found(items, ' ')]).toEqual([
    [2],
    [0, 1],
    [2],
    [],
  ])
})
