import { describe, expect, test } from 'vitest'
import { chat } from '../../../src/api/claudecode/chat.ts'
import type { CallEvent, OperationCall } from '../../../src/api/operation/operation-call.ts'
import { type Context, defineOperation, type Operation } from '../../../src/api/operation/operation.ts'
import { AppError } from '../../../src/base/errors.ts'
import { strictFields } from '../../../src/base/input-fields.ts'
import type { RefusedCall } from '../../../src/transports/refused-call.ts'
import { type OperationCaller, runOperation } from '../../../src/transports/operation/run-operation.ts'
import { CALLERS } from '../../rig/clients/family.ts'
import { CHAT_INPUT, oneTurnEngine } from '../../rig/hubs/one-turn.ts'

/** An operation that does this. */
const doing = (action: (context: Context) => Promise<object>, isReadOnly = false): Operation =>
  defineOperation({
    name: 'test.do',
    title: 'Do',
    description: 'Does it.',
    input: strictFields({}),
    hints: { readOnlyHint: isReadOnly },
    run: action,
  })
const failing = (error: unknown, isReadOnly = false) =>
  doing(async () => {
    throw error
  }, isReadOnly)

async function run(
  operation: Operation,
  call: Partial<OperationCall> = {},
  who: Partial<OperationCaller> = {},
) {
  const errors: unknown[] = []
  const refused: RefusedCall[] = []
  const parts = {
    engine: oneTurnEngine(),
    onError: (error: unknown, method: string) => errors.push([method, error]),
    onRefused: (one: RefusedCall) => refused.push(one),
  }
  const known = { sessions: [], questions: [] }
  const answer = await runOperation(
    parts,
    operation,
    { tool: 'test_do', known, ...call },
    { caller: CALLERS.operator, signal: new AbortController().signal, ...who },
  )
  const text = answer.result.content[0]?.text ?? ''
  return { answer, errors, refused, payload: JSON.parse(text) as unknown }
}

describe('a notice', () => {
  const twice = doing(async ({ notice }) => ({ said: [notice?.(), notice?.() ?? 'no more'] }))

  test('is for one result, and the caller learns that it is in there', async () => {
    const { answer, payload } = await run(twice, { notice: 'There is a new version.' })
    expect(payload).toEqual({ said: ['There is a new version.', 'no more'] })
    expect(answer.noticed).toBe(true)
  })

  test('that no result has used, or that there is not, is not in there', async () => {
    const { answer } = await run(
      doing(async () => ({})),
      { notice: 'There is a new version.' },
    )
    expect(answer).not.toHaveProperty('noticed')
    expect((await run(twice)).answer).not.toHaveProperty('noticed')
  })
})

describe('an error', () => {
  const bug = new TypeError('secret')
  const aborted = AbortSignal.abort()

  test('is a result with its code and sentence', async () => {
    const error = new AppError('not_found', 'There is no such session.')
    const { answer, payload, errors, refused } = await run(failing(error))
    expect(answer).toMatchObject({ error, result: { isError: true, content: [{ type: 'text' }] } })
    expect(payload).toEqual({ code: 'not_found', message: 'There is no such session.' })
    expect([errors, refused]).toEqual([[], []])
  })

  test('that denies access is noted as a refusal', async () => {
    const { refused } = await run(failing(new AppError('forbidden', 'No.')), {}, { caller: CALLERS.owner })
    expect(refused).toEqual([{ caller: 'owner', method: 'test.do', reason: 'No.' }])
  })

  test('that was not expected is logged, and the caller reads nothing of it', async () => {
    const { errors, payload } = await run(failing(bug))
    expect(errors).toEqual([['test.do', bug]])
    expect(payload).toEqual({ code: 'internal', message: 'internal error' })
  })

  test('is not logged if its caller has disconnected', async () => {
    expect((await run(failing(bug), {}, { gone: aborted })).errors).toEqual([])
  })

  test('of a wait that the end of the hub has cut off says so', async () => {
    const { answer, errors, payload } = await run(failing(bug), {}, { signal: aborted })
    expect(payload).toMatchObject({
      code: 'busy',
      message: expect.stringContaining('The hub stops') as unknown,
    })
    expect(answer.error).toMatchObject({ cause: bug })
    expect(errors).toEqual([])
    const expected = await run(failing(new AppError('in_use', 'Taken.')), {}, { signal: aborted })
    expect(expected.payload).toMatchObject({ code: 'in_use' })
  })
})

const busy = (message: string) => ({ code: 'busy', message: expect.stringContaining(message) as unknown })

describe('a call that is repeated', () => {
  const again = { sessionId: 's1' }

  test('is lost unless it can be repeated', async () => {
    expect((await run(failing(new Error('It ran.')), { again })).payload).toMatchObject({
      code: 'busy',
      message: expect.stringContaining('check with claude_list') as unknown,
    })
  })

  test('names the session that it has begun where its arguments are no longer whole', async () => {
    const shortened = failing(new AppError('invalid_input', 'prompt is missing.'), true)
    expect((await run(shortened, { again })).payload).toMatchObject(busy('the session s1 has begun'))
    expect((await run(shortened, { again: {} })).payload).toMatchObject(busy('claude_list'))
    expect((await run(shortened)).payload).toMatchObject({ code: 'invalid_input' })
  })

  test('has other errors as they are', async () => {
    const gone = failing(new AppError('not_found', 'It is gone.'), true)
    expect((await run(gone, { again })).payload).toMatchObject({ code: 'not_found' })
    expect((await run(failing(new Error('invalid_input'), true), { again })).errors).toHaveLength(1)
  })
})

test('what happens meanwhile is for whoever listens', async () => {
  const events: CallEvent[] = []
  const call = { arguments: CHAT_INPUT }
  expect((await run(chat, call)).answer.hasWaited).toBe(true)
  const onEvent = (event: CallEvent) => void events.push(event)
  expect((await run(chat, call, { onEvent })).payload).toMatchObject({ result: 'Hi.' })
  expect(events.map(({ type }) => type)).toEqual(['begun', 'text'])
})
