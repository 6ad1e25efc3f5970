import { describe, expect, test } from 'vitest'
import { CHILD, QUESTION } from '../../rig/clients/family.ts'
import { aHub } from '../../rig/clients/rpc-hub.ts'

const LIST = { jsonrpc: '2.0', method: 'listSessions' }
const invalid = (id: unknown, code: number) => ({
  jsonrpc: '2.0',
  id,
  error: { code, message: expect.stringMatching(/\.$/) as unknown, data: { code: 'invalid_input' } },
})

describe('what is no request', () => {
  test.each([
    ['no JSON', '{"jsonrpc":', invalid(null, -32700)],
    ['an empty batch', [], invalid(null, -32600)],
    ['a batch of 51', Array.from({ length: 51 }, () => LIST), invalid(null, -32600)],
    ['a number', 7, invalid(null, -32600)],
    ['another version', { ...LIST, jsonrpc: '1.0', id: 7 }, invalid(7, -32600)],
    ['a request without a method', { jsonrpc: '2.0', id: 'a' }, invalid('a', -32600)],
    ['an id that is none', { ...LIST, id: {} }, invalid(null, -32600)],
    ['an unknown method', { ...LIST, id: 1, method: 'fly' }, invalid(1, -32601)],
  ])('is refused: %s', async (_, body, refusal) => {
    expect(await (await aHub()).send(body)).toEqual(refusal)
  })

  test('names the methods that there are', async () => {
    expect(await (await aHub()).call('fly')).toMatchObject({
      error: {
        message: expect.stringMatching(/"fly".* startTurn.* claude_start.* loopback\.wait/) as unknown,
      },
    })
  })
})

describe('a request', () => {
  test.each([['a'], [0], [null]])('is answered under its id %j', async (id) => {
    const response = await (await aHub()).send({ ...LIST, id })
    expect(response).toMatchObject({ jsonrpc: '2.0', id, result: [{}, {}, {}, {}] })
  })

  test('without an id is executed, and gets no response', async () => {
    const { send, call } = await aHub()
    const params = { approvalId: QUESTION, answers: ['deny'] }
    expect(await send({ jsonrpc: '2.0', method: 'answer', params })).toBeUndefined()
    expect(await call('pending', { sessionId: CHILD })).toMatchObject({ result: [] })
  })

  test('of a batch is answered if it has an id', async () => {
    const { send } = await aHub()
    expect(await send([LIST, { ...LIST, id: 1 }, { ...LIST, id: 2 }])).toMatchObject([{ id: 1 }, { id: 2 }])
    expect(await send([LIST])).toBeUndefined()
    expect(await send(Array.from({ length: 50 }, (_, id) => ({ ...LIST, id })))).toHaveLength(50)
  })

  test('may name an operation too', async () => {
    const { call } = await aHub()
    const params = { sessionId: CHILD, waitSeconds: 0 }
    expect(await call('claude_status', params)).toMatchObject({ result: { status: 'awaiting_input' } })
  })
})
