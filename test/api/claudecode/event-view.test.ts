import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { eventView } from '../../../src/api/claudecode/event-view.ts'
import type { SessionEvent } from '../../../src/events/session-event.ts'
import type { Turn } from '../../../src/sessions/record/session.ts'
import { aSession } from '../../contracts/rows.ts'
import { asApprovalId, asRunId, asSessionId } from '../../rig/tools/ids.ts'

const error = { code: 'cli_failed', message: 'It broke.' }
const session = aSession({ name: 'mine', turn: 2, costUsd: 0.5, status: 'failed', error })
const turn: Turn = { sessionId: asSessionId('s1'), number: 2, firstSeq: 10, lastSeq: 20 }

function viewed(seq: number, event: SessionEvent, outcome?: Turn['outcome']) {
  return eventView({ seq, turn: 2, at: 0, event }, { session, turn: { ...turn, outcome }, treeId: 'tree' })
}

describe('an event of a turn', () => {
  test('counts from the first one, which is the start, with what was said', () => {
    const said = viewed(10, { type: 'prompt.accepted', promptId: 'p', content: 'go' })
    const at = { tree_id: 'tree', node_id: expect.any(String) as string }
    expect(said).toEqual({
      seq: 0,
      event: { type: 'start', id: 's1', user_position: at, prompt_id: 'p', prompt: 'go' },
    })
    const byItself = viewed(10, { type: 'turn.started', cliSessionId: 's1' })
    expect(byItself.event).toEqual({ type: 'start', id: 's1', user_position: at })
    expect(viewed(11, { type: 'prompt.accepted', promptId: 'q', content: 'more' })).toEqual({
      seq: 1,
      event: { type: 'prompt', prompt_id: 'q', content: 'more' },
    })
  })

  test('has the fields of its kind in the spelling of this family', () => {
    const used = { type: 'tool.used', toolUseId: 't', toolName: 'Bash', input: { fileName: 'x' } } as const
    expect(viewed(12, used).event).toEqual({
      type: 'tool_use',
      tool_use_id: 't',
      tool_name: 'Bash',
      input: { fileName: 'x' },
    })
    const finished = { type: 'tool.finished', toolUseId: 't', isError: false, content: 'ok' } as const
    expect(viewed(13, finished).event).toEqual({
      type: 'tool_result',
      tool_use_id: 't',
      is_error: false,
      content: 'ok',
    })
  })

  test('of a newer hub that this program does not know keeps its own name', () => {
    const unknown = z.custom<SessionEvent>().parse({ type: 'thing.new', someField: 1 })
    expect(viewed(13, unknown).event).toEqual({ type: 'thing.new', some_field: 1 })
  })

  test('that asks has the fields of a request', () => {
    const opened: SessionEvent = {
      type: 'approval.opened',
      approvalId: asApprovalId('a'),
      kind: 'tool',
      requestId: 'r',
      toolName: 'Bash',
      input: { command: 'ls' },
      toolUseId: 't',
    }
    const { event } = viewed(14, opened)
    expect(event).toMatchObject({
      type: 'tool_request',
      approval_id: 'a',
      session_name: 'mine',
      tool_name: 'Bash',
      tool_input: { command: 'ls' },
      tool_use_id: 't',
    })
    expect(event).not.toHaveProperty('input')
  })
})

describe('the end of a turn', () => {
  const head = { tree_id: 'tree', node_id: expect.any(String) as string }
  test.each([
    ['done', { type: 'complete', result: 'ok', cost_usd: 0.5, head }],
    ['interrupted', { type: 'interrupted', result: 'ok' }],
    ['failed', { type: 'error', ...error }],
  ] as const)('that is %s', (outcome, expected) => {
    expect(viewed(20, { type: 'turn.ended', outcome, result: 'ok' }, outcome).event).toMatchObject(expected)
  })

  test('is shown also if the process ended, or the prompt was withdrawn', () => {
    const gone: SessionEvent = {
      type: 'run.ended',
      runId: asRunId('r'),
      error: { code: 'cli_failed', message: 'Gone.' },
    }
    expect(viewed(20, gone, 'failed').event).toMatchObject({ type: 'error', message: 'Gone.' })
    expect(viewed(20, { type: 'run.ended', runId: asRunId('r') }, 'failed').event).toMatchObject({
      type: 'error',
      ...error,
    })
    const taken = viewed(20, { type: 'prompt.withdrawn', promptId: 'p' }, 'interrupted')
    expect(taken.event).toMatchObject({ type: 'interrupted' })
  })
})
