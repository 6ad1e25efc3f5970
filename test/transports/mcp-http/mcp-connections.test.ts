import { Server } from '@modelcontextprotocol/server'
import { describe, expect, test } from 'vitest'
import type { Caller } from '../../../src/callers/access-rules.ts'
import { memoryConnectionStore } from '../../../src/transports/lasting-connection.ts'
import { type ConnectionsParts, McpConnections } from '../../../src/transports/mcp-http/mcp-connections.ts'
import { createSigner } from '../../../src/text/signed-text.ts'
import { MODEL } from '../../rig/clients/mcp-pair.ts'
import { asCallerId } from '../../rig/tools/ids.ts'
import { INITIALIZE, inside, PING, request } from '../../rig/clients/mcp-requests.ts'

const OTHER: Caller = { ...MODEL, id: asCallerId('client other'), kind: 'client', name: 'other' }
const make = () => new Server({ name: 'test', version: '0' }, { capabilities: {} })

const opened = (parts: Partial<ConnectionsParts> = {}) =>
  new McpConnections({ signer: createSigner('key'), kept: memoryConnectionStore(), ...parts })

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
    for (const first of [request('GET', undefined, inside(id)), request('POST', PING, inside(id))])
      expect(await connections.answer(first, OTHER, make)).toMatchObject({ status: 404 })
    await connections.answer(request('DELETE', undefined, inside(id)), OTHER, make)
    expect(await connections.answer(request('POST', PING, inside(id)), MODEL, make)).toMatchObject({
      status: 200,
    })
  })

  test('R29: continues at another hub with the same key and at no other, for its own caller', async () => {
    const kept = memoryConnectionStore()
    const id = await begun(opened({ kept }))
    const said = async (connections: McpConnections, caller = MODEL) => {
      const servers: Server[] = []
      const made = () => {
        const server = make()
        servers.push(server)
        return server
      }
      const sent = () => connections.answer(request('POST', PING, inside(id)), caller, made)
      const [first] = await Promise.all([sent(), sent()])
      return { status: first?.status, clients: servers.map((one) => one.getClientVersion()?.name) }
    }
    expect(await said(opened({ kept }))).toEqual({ status: 200, clients: ['test'] })
    expect(await said(opened({ kept }), OTHER)).toEqual({ status: 404, clients: [] })
    expect(await said(opened({ kept, signer: createSigner('another') }))).toEqual({
      status: 404,
      clients: [],
    })
  })

  test.each([
    ['another message', request('POST', PING)],
    ['what is no JSON', request('POST', undefined, { 'content-length': '0' })],
    ['a look for a stream', request('GET')],
    ['the newest era', request('POST', INITIALIZE, { 'mcp-protocol-version': '2026' })],
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

  test('is over for good once its client has ended it, at every hub', async () => {
    const kept = memoryConnectionStore()
    const connections = opened({ kept })
    const id = await begun(connections)
    await connections.answer(request('DELETE', undefined, inside(id)), MODEL, make)
    for (const again of [request('POST', PING, inside(id)), request('GET', undefined, inside(id))])
      for (const hub of [connections, opened({ kept })])
        expect(await hub.answer(again.clone(), MODEL, make)).toMatchObject({ status: 404 })
    expect(await begun(connections)).not.toBe(id)
  })

  test('makes room when it was not used for long, or when there are many', async () => {
    let now = 0
    const connections = opened({ now: () => now })
    const closed: string[] = []
    const named = (name: string) => () => Object.assign(make(), { onclose: () => closed.push(name) })
    const beginAs = async (name: string) =>
      (await connections.answer(request('POST', INITIALIZE), MODEL, named(name)))?.headers.get(
        'mcp-session-id',
      ) ?? ''
    await beginAs('silent')
    const listening = await beginAs('listening')
    const stream = await connections.answer(request('GET', undefined, inside(listening)), MODEL, make)
    now = 3_600_000
    await beginAs('oldest but one')
    expect(closed).toEqual(['silent'])
    for (let count = 0; count < 199; count++) await begun(connections)
    expect(closed).toEqual(['silent', 'listening'])
    await stream?.body?.cancel()
  })
})
