import { describe, expect, test } from 'vitest'
import { CallerMemory } from '../../../src/api/operation/caller-memory.ts'
import type { Engine } from '../../../src/engine/engine.ts'
import { CALLERS, CHILD, QUESTION } from '../../rig/clients/family.ts'
import { aHub } from '../../rig/clients/rpc-hub.ts'

const getSession = () => Promise.reject(new TypeError('secret'))
const broken = { getSession } as unknown as Engine

describe('an error', () => {
  test('is returned with its code, and is a refusal only if access was denied', async () => {
    const { call, refused, errors } = await aHub()
    expect(await call('getSession', { sessionId: 'nobody' })).toMatchObject({
      error: { code: -32000, data: { code: 'not_found' } },
    })
    expect([refused, errors]).toEqual([[], []])
  })

  test('of a child that may only ask is a refusal, for verbs and operations alike', async () => {
    const caller = { ...CALLERS.itself, scopes: [] }
    const { call, refused } = await aHub({ caller })
    for (const method of ['listSessions', 'claude_list'])
      expect(await call(method, {})).toMatchObject({ error: { data: { code: 'forbidden' } } })
    const reason = expect.stringContaining('may ask') as unknown
    expect(refused).toEqual([
      { caller: CHILD, method: 'listSessions', reason },
      { caller: CHILD, method: 'claude_list', reason },
    ])
  })

  test('of an operation with results for errors is a result, unless its params are no object', async () => {
    const { call } = await aHub()
    const error = { result: { type: 'error', code: 'not_found' } }
    expect(await call('loopback.respond', { approval_id: 'none', approve: false })).toMatchObject(error)
    for (const params of [[], null, 'x'])
      expect(await call('loopback.respond', params)).toMatchObject({ error: { code: -32602 } })
    expect(await call('claude_status', { sessionId: 'none' })).toMatchObject({ error: { code: -32000 } })
  })

  test('that was not expected is logged, and the caller reads nothing of it', async () => {
    const { call, errors } = await aHub({ engine: broken })
    const response = await call('getSession', { sessionId: CHILD })
    expect(response).toMatchObject({ error: { code: -32603, message: 'internal error' } })
    expect(errors).toEqual([['getSession', new TypeError('secret')]])
  })

  test('of a wait that was cut off says that the hub is closing, and is not logged', async () => {
    const { call, errors } = await aHub({ engine: broken, isGone: true })
    const response = await call('getSession', { sessionId: CHILD })
    expect(response).toMatchObject({
      error: { message: expect.stringContaining('The hub is closing') as unknown, data: { code: 'busy' } },
    })
    expect(errors).toEqual([])
    const { call: callNone } = await aHub({ isGone: true })
    expect(await callNone('getSession', { sessionId: 'none' })).toMatchObject({
      error: { data: { code: 'not_found' } },
    })
  })
})

describe('the memory of a caller', () => {
  const look = { sessionId: CHILD, waitSeconds: 0 }

  test('has the questions and sessions of a result that the caller has read', async () => {
    const memory = new CallerMemory()
    await (await aHub({ memory })).call('claude_status', look)
    expect(memory.known).toMatchObject({ sessions: [CHILD], questions: [QUESTION] })
  })

  test('has no question of a result that the caller did not wait for', async () => {
    const memory = new CallerMemory()
    await (await aHub({ memory, isGone: true })).call('claude_status', look)
    expect(memory.known).toMatchObject({ sessions: [CHILD], questions: [] })
  })
})
