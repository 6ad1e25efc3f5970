import { expect, test } from 'vitest'
import type { Batch } from '../../../src/child/process/child-output.ts'
import { ControlRequests } from '../../../src/child/process/control-requests.ts'
import { EventBuffer } from '../../../src/sessions/writing/event-buffer.ts'
import { outputSteps } from '../../../src/sessions/run/output-steps.ts'
import { resolvable } from '../../rig/clients/people.ts'

const CLEARED = { type: 'conversation_reset' }
const TOOL_USED = {
  type: 'assistant',
  message: { content: [{ type: 'tool_use', id: 't', name: 'Bash', input: {} }] },
}

/** Lines of 10 bytes each after this offset, read at once. */
function batch(offset: number, ...lines: readonly object[]): Batch {
  const split = lines.map((line, at) => ({
    text: JSON.stringify(line),
    bytes: 9,
    cut: false,
    end: offset + 10 * (at + 1),
  }))
  return { lines: split, offset: offset + 10 * lines.length }
}

/** The steps of a child that prints these batches. */
function reading(
  read: () => AsyncGenerator<Batch, void>,
  control = new ControlRequests(async () => {}),
  answerEarly = async () => false,
) {
  const context = { sessionId: 's', opinion: () => ({ opinion: 'none' as const }) }
  return outputSteps({ child: { read }, buffer: new EventBuffer(0), context, control, answerEarly }, 0)
}

test('each read is a step with its events and the offset after them, and the end stores what is left', async () => {
  const steps = reading(async function* () {
    yield batch(0, CLEARED, CLEARED)
    yield batch(20, { type: 'control_response', response: { subtype: 'success', request_id: 'r' } })
    yield batch(30, CLEARED, TOOL_USED)
  })
  const seen: [string[], number][] = []
  for await (const { events, offset } of steps) seen.push([events.map(({ type }) => type), offset])
  expect(seen).toEqual([
    [['conversation.cleared', 'conversation.cleared'], 20],
    [['conversation.cleared'], 40],
    [['tool.used'], 50],
  ])
})

test('a response of the child reaches who asked it', async () => {
  let requestId: unknown
  const control = new ControlRequests(async ({ request_id: id }) => void (requestId = id))
  const answer = control.send({ subtype: 'mcp_status' }, new AbortController().signal)
  const response = { subtype: 'success', request_id: requestId, response: 'fine' }
  const steps = reading(async function* () {
    yield batch(0, { type: 'control_response', response }, CLEARED)
  }, control)
  for await (const _ of steps);
  expect(await answer).toBe('fine')
})

test('events that are held back are stored although the child is silent, and nothing of the next read is lost', async () => {
  const more = resolvable<void>()
  const steps = reading(async function* () {
    yield batch(0, TOOL_USED)
    await more.promise
    yield batch(10, CLEARED)
    yield batch(20, CLEARED)
  })
  expect(await steps.next()).toMatchObject({ value: { events: [{ type: 'tool.used' }], offset: 10 } })
  more.resolve()
  expect(await steps.next()).toMatchObject({
    value: { events: [{ type: 'conversation.cleared' }], offset: 20 },
  })
  expect(await steps.next()).toMatchObject({
    value: { events: [{ type: 'conversation.cleared' }], offset: 30 },
  })
  expect(await steps.next()).toEqual({ done: true, value: undefined })
})

test('who wants no more steps ends the reading too', async () => {
  const closed = resolvable<string>()
  const steps = reading(async function* () {
    try {
      yield batch(0, CLEARED)
      yield batch(10, CLEARED)
    } finally {
      closed.resolve('closed')
    }
  })
  for await (const { offset } of steps) {
    expect(offset).toBe(10)
    break
  }
  expect(await closed.promise).toBe('closed')
})

const HOOK = {
  type: 'control_request',
  request_id: 'h',
  request: { subtype: 'hook_callback', input: { tool_name: 'Bash', tool_input: {}, tool_use_id: 't' } },
}

async function* hookThenMore() {
  yield batch(0, HOOK)
  yield batch(10, CLEARED)
}

/** The events of each step, where every request was answered early or none was. */
async function stepsWhere(isAnswered: boolean): Promise<string[][]> {
  const seen: string[][] = []
  for await (const { events } of reading(hookThenMore, undefined, async () => isAnswered))
    seen.push(events.map(({ type }) => type))
  return seen
}

test('a request that was answered early is stored with the next line, one that was not is stored at once', async () => {
  expect(await stepsWhere(true)).toEqual([['tool.seen', 'conversation.cleared']])
  expect(await stepsWhere(false)).toEqual([['tool.seen'], ['conversation.cleared']])
})
