/** Calls that wait, over each way in, ended by who made them. */
import { Client, StreamableHTTPClientTransport, type Transport } from '@modelcontextprotocol/client'
import { InMemoryTransport } from '@modelcontextprotocol/server'
import { expect, onTestFinished, test } from 'vitest'
import { operationsFor } from '../../../src/api/operations.ts'
import { mcpHandler } from '../../../src/transports/mcp-http/mcp-http.ts'
import { serveMcp } from '../../../src/transports/mcp/mcp-stdio.ts'
import { aStep } from '../../contracts/rows.ts'
import { type EngineRig, ME, startEngine } from '../../rig/hubs/engines.ts'
import { MODEL } from '../../rig/clients/mcp-pair.ts'

type Way = 'stdio' | 'HTTP'

async function transportOver(way: Way, rig: EngineRig): Promise<Transport> {
  const parts = {
    engine: rig.as(MODEL),
    progressMs: 20,
    onError: (error: unknown) => rig.parts.errors.push(error),
  }
  if (way === 'HTTP') {
    const handle = mcpHandler(parts.engine, parts)
    return new StreamableHTTPClientTransport(new URL('http://127.0.0.1/mcp'), {
      requestInit: { headers: { authorization: 'Bearer mine' } },
      fetch: (url, init) => {
        const request = new Request(url, init)
        if (typeof init?.body === 'string') request.headers.set('content-length', `${init.body.length}`)
        return handle(request, MODEL)
      },
    })
  }
  const [near, far] = InMemoryTransport.createLinkedPair()
  const operations = operationsFor(MODEL, 'claude')
  const send = (message: object) => far.send(message as Parameters<typeof far.send>[0])
  const stdio = {
    ...parts,
    caller: MODEL,
    operations,
    send,
    workingDirectory: rig.project,
    onRefused: () => {},
  }
  const take = await serveMcp(stdio, [])
  Object.assign(far, { onmessage: take })
  await far.start()
  return near
}

/** A call that is cancelled once it has said twice that it waits, is under way in the hub, and the session is at work. */
async function cancelled(
  client: Client,
  rig: EngineRig,
  [name, input]: [tool: string, input: object],
  sessionId: string,
): Promise<void> {
  const { hub } = rig.parts
  const enough = new AbortController()
  let told = 0
  const call = client.callTool(
    { name, arguments: { ...input, waitSeconds: 50 } },
    { signal: enough.signal, onprogress: () => void told++, timeout: 60_000 },
  )
  call.catch(() => {})
  await expect.poll(() => told, { timeout: 20_000 }).toBeGreaterThan(1)
  const looked = () => rig.parts.store.sessions.list({ status: ['running'], limit: 10 })
  await expect
    .poll(async () => (await looked()).map(({ id, name: called }) => called ?? id), { timeout: 20_000 })
    .toContain(sessionId)
  await expect.poll(() => hub?.underWay, { timeout: 10_000 }).toBe(1)
  enough.abort()
  await expect(call).rejects.toBeInstanceOf(Error)
  await expect.poll(() => hub?.underWay, { timeout: 10_000 }).toBe(0)
}

async function connected(way: Way, mode: 'legacy' | 'auto'): Promise<{ client: Client; rig: EngineRig }> {
  const rig = await startEngine('behind a socket', { main: [{ hang: true }] })
  const client = new Client({ name: 'test', version: '0' }, { versionNegotiation: { mode } })
  onTestFinished(() => client.close())
  await client.connect(await transportOver(way, rig))
  return { client, rig }
}

test.each([
  ['stdio', 'legacy'],
  ['stdio', 'auto'],
  ['HTTP', 'legacy'],
  ['HTTP', 'auto'],
] as const)(
  'a wait sends progress, and to cancel it ends the wait and nothing else (%s, %s)',
  async (way, mode) => {
    const { client, rig } = await connected(way, mode)
    const { id: sessionId, ...session } = await rig.create()
    const running = { ...session, id: sessionId, status: 'running' } as const
    await rig.parts.store.journal.append({ ...aStep(1), sessionId, session: running })
    await cancelled(client, rig, ['claude_status', { sessionId }], sessionId)
    await cancelled(client, rig, ['claude_status', {}], sessionId)
    expect(await rig.engine.getSession(ME, { sessionId })).toMatchObject({ status: 'running' })
    expect(rig.parts.errors).toEqual([])
  },
)

test.each([
  ['stdio', 'legacy'],
  ['HTTP', 'auto'],
] as const)('a start that is cancelled while it waits has begun its session (%s, %s)', async (way, mode) => {
  const { client, rig } = await connected(way, mode)
  const start = { prompt: 'go', workingDirectory: rig.project, name: 'begun' }
  await cancelled(client, rig, ['claude_start', start], 'begun')
  const begun = rig.track(await rig.engine.getSession(ME, { sessionId: 'begun' }))
  expect(begun).toMatchObject({ status: 'running' })
  expect(rig.parts.errors).toEqual([])
})
