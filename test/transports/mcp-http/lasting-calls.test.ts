/** Calls of older clients whose stream is cut: the client asks for the response again, here or at the next hub. */
import { Server } from '@modelcontextprotocol/server'
import { expect, test } from 'vitest'
import { createSigner } from '../../../src/text/signed-text.ts'
import {
  type LastingCall,
  type LastingConnection,
  memoryConnectionStore,
} from '../../../src/transports/lasting-connection.ts'
import { McpConnections } from '../../../src/transports/mcp-http/mcp-connections.ts'
import { MODEL } from '../../rig/clients/mcp-pair.ts'
import { INITIALIZE, inside, request } from '../../rig/clients/mcp-requests.ts'
import { resolvable } from '../../rig/clients/people.ts'

const CALL = { jsonrpc: '2.0', id: 5, method: 'tools/call', params: { name: 'wait', arguments: { a: 1 } } }

/** A hub whose only tool begins the session `s1`, waits, and returns what it was called with. */
function aHub() {
  const [begin, answer] = [resolvable<void>(), resolvable<void>()]
  const calls: (LastingCall | undefined)[] = []
  let lasting: LastingConnection | undefined
  const connections = new McpConnections({ signer: createSigner('key'), kept: memoryConnectionStore() })
  const make = (connection: LastingConnection) => {
    lasting = connection
    const server = new Server({ name: 'test', version: '0' }, { capabilities: { tools: {} } })
    server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
      const call = connection.call(mcpReq.id)
      calls.push(call)
      await begin.promise
      call?.begun('s1')
      await answer.promise
      return { content: [{ type: 'text', text: JSON.stringify(params.arguments) }] }
    })
    return server
  }
  const send = async (...sent: Parameters<typeof request>) => {
    const response = await connections.answer(request(...sent), MODEL, make)
    if (!response) throw new Error('It belongs to no connection.')
    return response
  }
  const open = async () => (await send('POST', INITIALIZE)).headers.get('mcp-session-id') ?? ''
  return { send, open, calls, begin: begin.resolve, answer: answer.resolve, lasting: () => lasting }
}

const idsIn = (text: string) => [...text.matchAll(/^id: (.+)$/gm)].map((match) => match[1] ?? '')

/** Reads until the stream has had so many event ids. */
async function readIds({ body }: Response, count: number) {
  const reader = body?.getReader()
  const decoder = new TextDecoder()
  let text = ''
  while (idsIn(text).length < count) text += decoder.decode((await reader?.read())?.value)
  return { ids: idsIn(text), leave: () => reader?.cancel() }
}

test('a call has an event id at once, and its response is as without ids', async () => {
  const { send, open, begin, answer, calls, lasting } = aHub()
  begin()
  answer()
  const response = await send('POST', CALL, inside(await open()))
  const text = await response.text()
  expect(idsIn(text)).toHaveLength(1)
  expect(text).toContain('{\\"a\\":1}')
  expect(response.headers.get('content-type')).toBe('text/event-stream')
  expect(calls).toMatchObject([{ isResumed: false, sessionId: undefined }])
  expect(lasting()?.call(CALL.id)).toBeUndefined()
})

test('a call whose stream was cut is resumed at the next hub, with its session', async () => {
  const first = aHub()
  const id = await first.open()
  const response = await first.send('POST', CALL, inside(id))
  first.begin()
  const { ids, leave } = await readIds(response, 2)
  expect(first.lasting()?.call(CALL.id)).toBe(first.calls[0])
  await leave()
  expect(first.lasting()?.call(CALL.id)).toBeUndefined()

  const next = aHub()
  next.begin()
  next.answer()
  const resumed = await next.send('GET', undefined, { ...inside(id), 'last-event-id': ids[1] ?? '' })
  expect(await resumed.text()).toContain('{\\"a\\":1}')
  expect(next.calls).toMatchObject([{ isResumed: true, sessionId: 's1' }])
})

test('an event of another connection resumes nothing', async () => {
  const hub = aHub()
  hub.begin()
  const response = await hub.send('POST', CALL, inside(await hub.open()))
  hub.answer()
  const [eventId = ''] = idsIn(await response.text())
  const other = await hub.open()
  for (const lastEventId of [eventId, 'nonsense']) {
    const headers = { ...inside(other), 'last-event-id': lastEventId }
    expect(await hub.send('GET', undefined, headers)).toMatchObject({ status: 400 })
  }
  expect(hub.calls).toHaveLength(1)
})

test.each([['2025-06-18'], [undefined]])('a client of the protocol %s gets no event ids', async (version) => {
  const { send, open, begin, answer, calls } = aHub()
  begin()
  const { 'mcp-protocol-version': _, ...headers } = inside(await open())
  const response = await send('POST', CALL, {
    ...headers,
    ...(version === undefined ? {} : { 'mcp-protocol-version': version }),
  })
  answer()
  expect(idsIn(await response.text())).toEqual([])
  expect(calls).toEqual([undefined])
})

test('a call that the transport refuses is not kept', async () => {
  const { send, open, calls, lasting } = aHub()
  const refused = await send('POST', CALL, { ...inside(await open()), accept: 'text/plain' })
  expect(refused.status).toBe(406)
  expect(await refused.json()).toHaveProperty('error')
  expect([calls, lasting()?.call(CALL.id)]).toEqual([[], undefined])
})

test('a call with the id of an open call takes its place, and stays when the first call ends', async () => {
  const { send, open, lasting } = aHub()
  const id = await open()
  const first = await send('POST', CALL, inside(id))
  const second = await send('POST', { ...CALL, params: { name: 'wait' } }, inside(id))
  const latest = lasting()?.call(CALL.id)
  await first.body?.cancel()
  expect(latest).toBeDefined()
  expect(lasting()?.call(CALL.id)).toBe(latest)
  await second.body?.cancel()
  expect(lasting()?.call(CALL.id)).toBeUndefined()
})
