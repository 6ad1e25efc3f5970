import { Server } from '@modelcontextprotocol/server'
import { describe, expect, test } from 'vitest'
import type { Identity } from '../../src/callers/permission.ts'
import { keptInMemory } from '../../src/transports/lasting-connection.ts'
import { type ConnectionsParts, McpConnections } from '../../src/transports/mcp-connections.ts'
import { signerWith } from '../../src/signed-text.ts'
import { MODEL } from '../rig/mcp-pair.ts'

const OTHER: Identity = { ...MODEL, id: 'client other', kind: 'client', name: 'other' }
const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '0' } },
}
const PING = { jsonrpc: '2.0', id: 2, method: 'ping' }

function request(method: string, body?: object, headers: Record<string, string> = {}): Request {
  const text = body && JSON.stringify(body)
  const signal = new AbortController().signal
  return new Request('http://127.0.0.1/mcp', {
    method,
    signal,
    headers: {
      accept: 'application/json, text/event-stream',
      ...(text === undefined
        ? {}
        : { 'content-type': 'application/json', 'content-length': `${text.length}` }),
      ...headers,
    },
    ...(text === undefined ? {} : { body: text }),
  })
}

const inside = (id: string) => ({ 'mcp-session-id': id, 'mcp-protocol-version': '2025-11-25' })
const make = () => new Server({ name: 'test', version: '0' }, { capabilities: {} })

const opened = (parts: Partial<ConnectionsParts> = {}) =>
  new McpConnections({ signer: signerWith('key'), kept: keptInMemory(), ...parts })

async function begun(connections: McpConnections): Promise<string> {
  const response = await connections.answer(request('POST', INITIALIZE), MODEL, make)
  return response?.headers.get('mcp-session-id') ?? ''
}

describe('a connection of an older protocol', () => {
  test('begins with initialize and is found again by its id', async () => {
    const connections = opened()
    const id = await begun(connections)
    const response = await connections.answer(request('POST', PING, inside(id)), MODEL, make)
    expect(await response?.text()).toContain('"result":{}')
  })

  test("is nobody else's, whoever knows its id", async () => {
    const connections = opened()
    const id = await begun(connections)
    for (const method of ['GET', 'DELETE'])
      expect(await connections.answer(request(method, undefined, inside(id)), OTHER, make)).toBeUndefined()
    expect(await connections.answer(request('POST', PING, inside(id)), OTHER, make)).toBeUndefined()
    expect(await connections.answer(request('POST', PING, inside(id)), MODEL, make)).toBeDefined()
  })

  test.each([
    ['another message', request('POST', PING)],
    ['one with an id that is not known', request('POST', PING, inside('gone'))],
    ['what is no JSON', request('POST', undefined, { 'content-length': '0' })],
    ['a look for a stream', request('GET')],
    ['a newer protocol', request('POST', INITIALIZE, { 'mcp-protocol-version': '2026-07-28' })],
    ['more than one would say', request('POST', { ...INITIALIZE, more: 'x'.repeat(70_000) })],
  ])('is not begun by %s', async (_, first) => {
    expect(await opened().answer(first, MODEL, make)).toBeUndefined()
  })

  test('begins too where initialize names an older protocol in its header', async () => {
    const first = request('POST', INITIALIZE, { 'mcp-protocol-version': '2025-11-25' })
    const response = await opened().answer(first, MODEL, make)
    expect(response?.headers.get('mcp-session-id')).toBeTruthy()
  })

  test('is over for good once its client has ended it, and only for that client', async () => {
    const connections = opened()
    const id = await begun(connections)
    await connections.answer(request('DELETE', undefined, inside(id)), MODEL, make)
    for (const again of [request('POST', PING, inside(id)), request('GET', undefined, inside(id))])
      expect(await connections.answer(again, MODEL, make)).toMatchObject({ status: 404 })
    expect(await connections.answer(request('POST', PING, inside(id)), OTHER, make)).toBeUndefined()
    expect(await begun(connections)).not.toBe(id)
  })

  test('is forgotten once many others were ended after it', async () => {
    const connections = opened()
    const ended: string[] = []
    for (let count = 0; count <= 200; count++) {
      const id = await begun(connections)
      await connections.answer(request('DELETE', undefined, inside(id)), MODEL, make)
      ended.push(id)
    }
    const [first = '', second = ''] = ended
    const again = (id: string) => connections.answer(request('POST', PING, inside(id)), MODEL, make)
    expect([await again(first), (await again(second))?.status]).toEqual([undefined, 404])
  })

  test('ends when nothing has been heard of it for long', async () => {
    let now = 0
    const connections = opened({ now: () => now })
    const silent = await begun(connections)
    const listening = await begun(connections)
    const stream = await connections.answer(request('GET', undefined, inside(listening)), MODEL, make)
    now = 3_600_000
    await begun(connections)
    const known = async (id: string) =>
      (await connections.answer(request('POST', PING, inside(id)), MODEL, make)) !== undefined
    expect(await Promise.all([silent, listening].map(known))).toEqual([false, true])
    await stream?.body?.cancel()
  })

  test('makes room for others when there are many', async () => {
    const connections = opened()
    const first = await begun(connections)
    for (let count = 0; count < 200; count++) await begun(connections)
    expect(await connections.answer(request('POST', PING, inside(first)), MODEL, make)).toBeUndefined()
  })
})
