/** What a server knows of its connection, and what outlasts the hub. */
import { Server } from '@modelcontextprotocol/server'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createSigner } from '../../../src/text/signed-text.ts'
import { type LastingConnection, memoryConnectionStore } from '../../../src/transports/lasting-connection.ts'
import { McpConnections } from '../../../src/transports/mcp-http/mcp-connections.ts'
import { MODEL } from '../../rig/clients/mcp-pair.ts'
import { INITIALIZE, inside, PING, request } from '../../rig/clients/mcp-requests.ts'

function aHub({
  kept = memoryConnectionStore(),
  now,
}: { kept?: ReturnType<typeof memoryConnectionStore>; now?: () => number } = {}) {
  const made: LastingConnection[] = []
  const connections = new McpConnections({ signer: createSigner('key'), kept, ...(now ? { now } : {}) })
  const make = (connection: LastingConnection) => {
    made.push(connection)
    return new Server({ name: 'test', version: '0' }, { capabilities: {} })
  }
  const send = (first: Request) => connections.answer(first, MODEL, make)
  const open = async () => (await send(request('POST', INITIALIZE)))?.headers.get('mcp-session-id') ?? ''
  return { made, send, open }
}

test('what is kept of a connection is there at the next hub, which knows that it has restored it', async () => {
  const kept = memoryConnectionStore()
  const first = aHub({ kept })
  const id = await first.open()
  const [connection] = first.made
  expect(connection?.isRestored).toBe(false)
  expect(connection?.kept()).toEqual({ uris: [], sessions: [], ended: false })
  await connection?.keep({ uris: ['a'] })
  await connection?.keep({ sessions: ['s1'] })
  const next = aHub({ kept })
  await next.send(request('POST', PING, inside(id)))
  expect(next.made.map(({ isRestored }) => isRestored)).toEqual([true])
  expect(next.made[0]?.kept()).toEqual({ uris: ['a'], sessions: ['s1'], ended: false })
})

test('a server knows when its client opens the stream for updates, and when that is closed', async () => {
  const { made, send, open } = aHub()
  const id = await open()
  let opened = 0
  made[0]?.onStream(() => void opened++)
  expect(made[0]?.stream()).toBeUndefined()
  const leave = new AbortController()
  const { method, headers } = request('GET', undefined, inside(id))
  const stream = await send(new Request('http://127.0.0.1/mcp', { method, headers, signal: leave.signal }))
  expect(opened).toBe(1)
  expect(made[0]?.stream()?.aborted).toBe(false)
  const first = await stream?.body?.getReader().read()
  expect(new TextDecoder().decode(first?.value)).toContain('retry: 2000')
  leave.abort()
  expect(made[0]?.stream()).toBeUndefined()
})

test('a stream that is refused is none', async () => {
  const { made, send, open } = aHub()
  const id = await open()
  let opened = 0
  made[0]?.onStream(() => void opened++)
  const refused = await send(request('GET', undefined, { ...inside(id), accept: 'text/plain' }))
  expect(refused?.status).toBe(406)
  expect([opened, made[0]?.stream()]).toEqual([0, undefined])
})

test('a client that ends its connection may name an event that it has seen', async () => {
  const { send, open } = aHub()
  const id = await open()
  const ended = await send(request('DELETE', undefined, { ...inside(id), 'last-event-id': 'x' }))
  expect(ended?.status).toBe(200)
  expect(await send(request('POST', PING, inside(id)))).toMatchObject({ status: 404 })
})

const HALF_HOUR = 30 * 60_000

test('a connection that is silent for more than half an hour is dropped, and restored when it is used again', async () => {
  let time = 0
  const { made, send, open } = aHub({ now: () => time })
  const id = await open()
  const ping = () => send(request('POST', PING, inside(id)))
  time = HALF_HOUR
  await open()
  await ping()
  expect(made).toHaveLength(2)
  for (const restored of [1, 2]) {
    time += HALF_HOUR + 1
    await open()
    await ping()
    expect(made.filter(({ isRestored }) => isRestored)).toHaveLength(restored)
  }
})

test('the time goes by the clock of the process', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const { made, send, open } = aHub()
  const id = await open()
  vi.advanceTimersByTime(HALF_HOUR + 1)
  await open()
  await send(request('POST', PING, inside(id)))
  expect(made.map(({ isRestored }) => isRestored)).toEqual([false, false, true])
})

test('what is no JSON is refused inside a connection too', async () => {
  const { send, open } = aHub()
  const headers = {
    ...inside(await open()),
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  }
  const broken = new Request('http://127.0.0.1/mcp', { method: 'POST', headers, body: '{' })
  expect(await send(broken)).toMatchObject({ status: 400 })
})
