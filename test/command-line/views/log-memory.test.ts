import { expect, test } from 'vitest'
import { logLines } from '../../../src/command-line/views/log-lines.ts'
import { markdownOf } from '../../../src/command-line/views/markdown-log.ts'
import { LogMemory } from '../../../src/command-line/views/log-memory.ts'
import type { SessionEvent } from '../../../src/events/session-event.ts'
import { asApprovalId } from '../../rig/tools/ids.ts'

const cost = (total: number): SessionEvent => ({
  type: 'cost.reported',
  total,
  inputTokens: 1,
  outputTokens: 1,
})

test('the cost so far is that of the session and never falls, though each process counts from 0', () => {
  const memory = new LogMemory()
  const lines = [cost(0.5), cost(0.75), cost(0.25), cost(0.5)].flatMap((event) =>
    logLines({ event }, undefined, memory),
  )
  expect(lines).toEqual([0.5, 0.75, 1, 1.25].map((usd) => `  cost so far $${usd.toFixed(2)}`))
})

test('a log says that a call was allowed as edited, and shows the change of its file as a diff', () => {
  const approvalId = asApprovalId('a1')
  const input = { file_path: '/f', old_string: 'one', new_string: 'two' }
  const decision = { behavior: 'allow', updatedInput: { ...input, new_string: 'three' } } as const
  const events: SessionEvent[] = [
    { type: 'approval.opened', approvalId, kind: 'tool', requestId: 'r', toolName: 'Edit', input },
    { type: 'approval.settled', approvalId, status: 'allowed', by: 'laptop', decision },
  ]
  const memory = new LogMemory()
  expect(events.flatMap((event) => logLines({ event }, undefined, memory)).slice(1)).toEqual([
    '= allowed as edited by laptop',
    '  approved as edited:',
    '    /f',
    '    - one',
    '    + three',
    '    in place of:',
    '    /f',
    '    - one',
    '    + two',
  ])
  const stored = events.map((event, index) => ({ seq: index + 1, turn: 1, at: 1, event }))
  expect(markdownOf('web', stored)).toContain('*allowed as edited by laptop*')
})
