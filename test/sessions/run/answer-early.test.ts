import { expect, test } from 'vitest'
import type { ChildMessage } from '../../../src/child/lines/message-line.ts'
import { Deliveries } from '../../../src/child/state/owed-messages.ts'
import { evolve, initialRunState, type RunState } from '../../../src/child/state/run-state.ts'
import type { SessionEvent } from '../../../src/events/session-event.ts'
import { answerEarly } from '../../../src/sessions/run/answer-early.ts'
import { asApprovalId } from '../../rig/tools/ids.ts'

const SEEN = { type: 'tool.seen', requestId: 'h', toolUseId: 't', toolName: 'Bash', opinion: 'ask' } as const
const RETURNED = { type: 'tool.returned', requestId: 'r', toolUseId: 't' } as const
const RULE = { answer: { rule: 'Bash(touch *)', inputSha256: 'x' } }

/** Whether these events are answered early, and what the child is then given. */
async function early(
  events: readonly SessionEvent[],
  { state = initialRunState, asksInOutput = true }: { state?: RunState; asksInOutput?: boolean } = {},
) {
  const put: ChildMessage[] = []
  const deliveries = new Deliveries(async (message) => void put.push(message))
  const isAnswered = await answerEarly(deliveries, state, events, { asksInOutput: () => asksInOutput })
  return { isAnswered, put: put.map(({ response }) => response) }
}

function answered(decision: { message?: string }): RunState {
  const approvalId = asApprovalId('a')
  const about = { kind: 'tool', toolName: 'Bash', input: {}, toolUseId: 't', requestId: 'q' } as const
  const settled = {
    status: 'allowed',
    decision: { behavior: 'allow', updatedInput: {}, ...decision },
  } as const
  const opened = evolve(initialRunState, { type: 'approval.opened', approvalId, ...about, carrier: 'mcp' })
  return evolve(opened, { type: 'approval.settled', approvalId, ...settled })
}

test('an `ask` of our hook leaves before it is stored: the question comes after it', async () => {
  expect(await early([SEEN])).toMatchObject({
    isAnswered: true,
    put: [{ request_id: 'h', response: { hookSpecificOutput: { permissionDecision: 'ask' } } }],
  })
})

test.each([
  ['no opinion: the tool may run', [{ ...SEEN, opinion: 'none' }], {}],
  ['a refusal', [{ ...SEEN, opinion: 'deny' }], {}],
  ['a call that a rule answers', [{ ...SEEN, ...RULE }], {}],
  ['a question that is asked by a call, or granted by its folder', [SEEN], { asksInOutput: false }],
  ['a note for the model', [RETURNED], { state: answered({ message: 'mind the gap' }) }],
  ['a question', [{ type: 'request.unknown', requestId: 'u', subtype: 'x' }], {}],
  ['nothing', [], {}],
] as [string, SessionEvent[], object][])('%s is stored first', async (_, events, options) => {
  expect(await early(events, options)).toEqual({ isAnswered: false, put: [] })
})

test('after a call without a note the child continues at once, whoever asked', async () => {
  const expected = { isAnswered: true, put: [{ subtype: 'success', request_id: 'r', response: {} }] }
  expect(await early([RETURNED], { asksInOutput: false })).toEqual(expected)
  expect(await early([RETURNED], { state: answered({}) })).toEqual(expected)
})

test('what could not be sent is stored, so that it is sent later', async () => {
  const full = new Deliveries(async () => Promise.reject(new Error('no space')))
  const isAnswered = answerEarly(full, initialRunState, [SEEN], { asksInOutput: () => true })
  expect(await isAnswered).toBe(false)
})

test('what was answered early is not sent again when it is stored', async () => {
  const put: ChildMessage[] = []
  const deliveries = new Deliveries(async (message) => void put.push(message))
  await answerEarly(deliveries, initialRunState, [SEEN], { asksInOutput: () => true })
  await deliveries.deliver(evolve(initialRunState, SEEN))
  expect(put).toHaveLength(1)
})
