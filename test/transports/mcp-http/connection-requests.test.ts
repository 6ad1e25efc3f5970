import { expect, test } from 'vitest'
import {
  notFound,
  noSuchEvent,
  post,
  shortBodyOf,
} from '../../../src/transports/mcp-http/connection-requests.ts'
import { request } from '../../rig/clients/mcp-requests.ts'

test('a repeated request is as the client sends it, and ends with the request that it replaces', () => {
  const over = new AbortController()
  const instead = new Request('http://127.0.0.1/mcp', { signal: over.signal })
  const repeated = post('the id', instead)
  expect(repeated.method).toBe('POST')
  expect(Object.fromEntries(repeated.headers)).toEqual({
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-session-id': 'the id',
  })
  over.abort()
  expect(repeated.signal.aborted).toBe(true)
  expect(post('the id').signal.aborted).toBe(false)
})

test.each([
  ['an unknown connection', notFound(), 404, -32001, /initialize/],
  ['an unknown event', noSuchEvent(), 400, -32000, /Last-Event-ID.*again/],
])('%s is an error of JSON-RPC that says what to do', async (_, response, status, code, message) => {
  expect(response.status).toBe(status)
  expect(await response.json()).toEqual({
    jsonrpc: '2.0',
    id: null,
    error: { code, message: expect.stringMatching(message) as unknown },
  })
})

const LARGEST = 64 * 1024
const sized = (bytes: number, method = 'POST') =>
  request(method, { text: 'x'.repeat(bytes - JSON.stringify({ text: '' }).length) })

test('a body is read only if it can be the opening of a connection: short, posted, and of known length', async () => {
  expect(await shortBodyOf(sized(LARGEST))).toHaveProperty('text')
  expect(await shortBodyOf(sized(LARGEST + 1))).toBeUndefined()
  expect(await shortBodyOf(sized(100, 'PUT'))).toBeUndefined()
  const unknown = new Request('http://127.0.0.1/mcp', { method: 'POST', body: '{}' })
  expect(await shortBodyOf(unknown)).toBeUndefined()
})

test('a body that was read can be read again, and one that is not JSON is none', async () => {
  const first = request('POST', { a: 1 })
  await shortBodyOf(first)
  expect(await first.json()).toEqual({ a: 1 })
  const headers = { 'content-length': '1' }
  const broken = new Request('http://127.0.0.1/mcp', { method: 'POST', headers, body: '{' })
  expect(await shortBodyOf(broken)).toBeUndefined()
})
