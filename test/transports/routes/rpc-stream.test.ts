import { setImmediate } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { streamRpc } from '../../../src/transports/routes/rpc-stream.ts'
import { CALLERS } from '../../rig/clients/family.ts'
import { resolvable } from '../../rig/clients/people.ts'
import { CHAT_INPUT, oneTurnEngine } from '../../rig/hubs/one-turn.ts'
import { SlowResponse } from '../../rig/tools/slow-response.ts'

const CHAT = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'claudecode.chat',
  params: CHAT_INPUT,
})

function stream(response: SlowResponse, { body = CHAT, before = Promise.resolve() } = {}) {
  const over = new AbortController()
  const parts = { engine: oneTurnEngine(before), onError: () => {}, onRefused: () => {} }
  const who = { caller: CALLERS.operator, signal: over.signal }
  return { over, done: streamRpc(response.asResponse, parts, who, body) }
}

const framesOf = ({ written }: SlowResponse) =>
  written
    .filter((text) => text.startsWith('data: '))
    .map((text) => JSON.parse(text.slice('data: '.length)) as object)

test('each event is a notification, and the response is the last frame', async () => {
  const response = new SlowResponse()
  response.full = false
  await stream(response).done
  expect([response.status, response.ended]).toEqual([200, true])
  expect(response.headers).toEqual({ 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
  const event = { jsonrpc: '2.0', method: 'claudecode.event' }
  expect(framesOf(response)).toMatchObject([
    event,
    { ...event, params: { event: { type: 'content', text: 'Hi.' } } },
    event,
    { id: 1, result: { type: 'ok', result: 'Hi.' } },
  ])
  expect(response.written.every((text) => text.endsWith('\n\n'))).toBe(true)
})

test('the next event waits until the reader has taken the last one', async () => {
  const response = new SlowResponse()
  const { done } = stream(response)
  for (const frames of [1, 2, 3, 4]) {
    await setImmediate()
    expect(framesOf(response)).toHaveLength(frames)
    response.emit('drain')
  }
  await done
})

test('a reader that disconnects is sent no more, and that is no error', async () => {
  const response = new SlowResponse()
  const { over, done } = stream(response)
  await setImmediate()
  over.abort()
  await done
  expect(framesOf(response)).toHaveLength(1)
  expect(response.ended).toBe(true)
})

test('a notification has no response, and the stream ends', async () => {
  const response = new SlowResponse()
  response.full = false
  const body = JSON.stringify({
    jsonrpc: '2.0',
    method: 'tree',
    params: { sessionId: CHAT_INPUT.session_id },
  })
  await stream(response, { body }).done
  expect([framesOf(response), response.ended]).toEqual([[], true])
})

test('while nothing happens the reader gets a line from time to time, and none after the end', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const response = new SlowResponse()
  response.full = false
  const before = resolvable<void>()
  const { done } = stream(response, { before: before.promise })
  await vi.advanceTimersByTimeAsync(30_000)
  expect(response.written.filter((text) => text === ': still here\n\n')).toHaveLength(2)
  before.resolve()
  await done
  expect(vi.getTimerCount()).toBe(0)
})
