/** What each path of a hub answers, and to whom, over a connection. */
import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { Caller } from '../../../src/callers/access-rules.ts'
import type { Engine } from '../../../src/engine/engine.ts'
import { NO_OPINION, type RelayedAsk } from '../../../src/engine/terminals/hook-question.ts'
import type { RefusedCall } from '../../../src/transports/refused-call.ts'
import type { HttpParts } from '../../../src/transports/routes/http-handler.ts'
import { CALLERS } from '../../rig/clients/family.ts'
import { resolvable } from '../../rig/clients/people.ts'
import { routesServer } from '../../rig/hubs/routes-server.ts'

const callers: Record<string, Caller> = {
  operator: CALLERS.operator,
  client: CALLERS.owner,
  child: CALLERS.itself,
  device: CALLERS['device that reads'],
}

const page: HttpParts['page'] = (path) =>
  path === '/page.js' ? { body: 'page', headers: { 'content-type': 'text/javascript' } } : undefined

test('without a token there are the files of the page and the health, and nobody learns which other paths exist', async () => {
  const { ask } = await routesServer(callers, { page })
  expect(await ask('/page.js')).toMatchObject({ status: 200, body: 'page' })
  const health = await ask('/healthz')
  expect([health.status, JSON.parse(health.body)]).toEqual([
    200,
    { status: 'ok', version: expect.any(String) as unknown },
  ])
  for (const path of ['/rpc', '/metrics', '/nowhere']) expect((await ask(path)).status).toBe(401)
  expect((await ask('/healthz', { method: 'POST', body: '{}' })).status).toBe(401)
  expect((await ask('/nowhere', { as: 'operator' })).status).toBe(404)
})

test('a child is let in at its own address alone, and nobody else is', async () => {
  const seen: [path: string, caller: string][] = []
  const { ask } = await routesServer(callers, {
    mcp: async (request, caller) => {
      seen.push([new URL(request.url).pathname, caller.kind])
      return new Response(`got ${await request.text()}`)
    },
  })
  const post = (as: string) => ask('/mcp/child', { method: 'POST', as, body: '{"a":1}' })
  expect(await post('child')).toMatchObject({ status: 200, body: 'got {"a":1}' })
  for (const as of ['operator', 'client']) {
    const { status, body } = await post(as)
    expect([status, body]).toEqual([403, expect.stringContaining('use /mcp')])
  }
  expect(await ask('/mcp', { as: 'client' })).toMatchObject({ status: 200, body: 'got ' })
  expect(seen).toEqual([
    ['/mcp/child', 'session'],
    ['/mcp', 'client'],
  ])
})

test('a body that is no JSON is refused before any part of MCP has it', async () => {
  let calls = 0
  const mcp = async () => new Response(String(++calls))
  const { ask } = await routesServer(callers, { mcp })
  const headers = { 'content-type': 'text/plain' }
  const { status } = await ask('/mcp', { method: 'POST', as: 'client', body: '{}', headers })
  expect([status, calls]).toEqual([415, 0])
})

/** A call of MCP that waits until the hub goes, and is then answered as it stands. */
async function waitingCall(
  path: string,
  asked: Parameters<Awaited<ReturnType<typeof routesServer>>['ask']>[1],
) {
  const [there, gone] = [resolvable<void>(), resolvable<void>()]
  const mcp = async () => {
    there.resolve()
    await gone.promise
    return new Response('as it stands')
  }
  const { ask, endWaits } = await routesServer(callers, { mcp })
  const replied = ask(path, asked).then(
    ({ body }) => body,
    () => 'cut off',
  )
  await there.promise
  endWaits()
  await setImmediate()
  gone.resolve()
  return replied
}

test.each([
  ['a call of a client', '/mcp', { method: 'POST', as: 'client', body: '{}' }, 'as it stands'],
  ['a call of a child', '/mcp/child', { method: 'POST', as: 'child', body: '{}' }, 'cut off'],
  ['a stream of a client', '/mcp', { as: 'client' }, 'cut off'],
  [
    'a subscription of a client',
    '/mcp',
    { method: 'POST', as: 'client', body: '{}', headers: { 'mcp-method': 'subscriptions/listen' } },
    'cut off',
  ],
  [
    'another method of a client',
    '/mcp',
    { method: 'POST', as: 'client', body: '{}', headers: { 'mcp-method': 'tools/call' } },
    'as it stands',
  ],
])('when the hub goes, %s that waits: %s', async (_, path, asked, outcome) => {
  expect(await waitingCall(path, asked)).toBe(outcome)
})

const RELAY = { 'x-plexus-cli-pid': '7', 'x-plexus-ask': 'ask-1' }

test('a relay of a terminal is answered on the socket only, and what is not understood is no opinion', async () => {
  const asked: RelayedAsk[] = []
  const terminals: HttpParts['terminals'] = async (ask) => {
    asked.push(ask)
    return { hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: { behavior: 'allow' } } }
  }
  const { ask } = await routesServer(callers, { terminals }, { onSocket: true })
  const post = async (body: string, headers: Record<string, string> = RELAY) =>
    JSON.parse((await ask('/terminal/ask', { method: 'POST', body, headers })).body) as unknown
  expect(await post('{"a":1}')).toMatchObject({ hookSpecificOutput: { decision: { behavior: 'allow' } } })
  expect(asked).toEqual([{ hookInput: { a: 1 }, cliPid: 7, askId: 'ask-1' }])
  expect(await post('no JSON')).toEqual(NO_OPINION)
  expect(await post('['.repeat(65) + ']'.repeat(65))).toEqual(NO_OPINION)
  expect(await post('{"a":1}', {})).toEqual(NO_OPINION)
  expect(JSON.parse((await ask('/terminal/ask', { headers: RELAY })).body)).toEqual(NO_OPINION)
  expect(asked).toHaveLength(1)
  const overTcp = await routesServer(callers, { terminals })
  expect(await overTcp.ask('/terminal/ask', { method: 'POST', body: '{}', headers: RELAY })).toMatchObject({
    status: 401,
  })
})

test('a relay whose hub ends has no reply, so that it asks the next hub', async () => {
  const { ask } = await routesServer(callers, { terminals: async () => undefined }, { onSocket: true })
  await expect(ask('/terminal/ask', { method: 'POST', body: '{}', headers: RELAY })).rejects.toMatchObject({
    code: 'ECONNRESET',
  })
})

test('a body that is no JSON is refused on the socket and at the sign-in too, and is no error of ours', async () => {
  const logged: string[] = []
  const error = (text: string) => void logged.push(text)
  const log = { debug: () => {}, info: () => {}, warn: () => {}, error }
  const devices = { onRemoved: () => {} } as unknown as NonNullable<HttpParts['devices']>
  const { ask } = await routesServer(callers, { log, devices }, { onSocket: true })
  const headers = { 'content-type': 'text/plain' }
  for (const path of ['/operation', '/rpc', '/device', '/mcp'])
    expect((await ask(path, { method: 'POST', as: 'client', body: '{}', headers })).status).toBe(415)
  expect(logged).toEqual([])
})

test('a browser signs in with a code and without a token', async () => {
  const codes: string[] = []
  const devices = {
    signIn: async (code: string) => {
      codes.push(code)
      return { token: 'T' }
    },
    onRemoved: () => {},
  } as unknown as NonNullable<HttpParts['devices']>
  const { ask } = await routesServer(callers, { devices })
  const { status, body } = await ask('/device', { method: 'POST', body: '{"code":"c1"}' })
  expect([status, JSON.parse(body), codes]).toEqual([200, { token: 'T' }, ['c1']])
  const headers = { 'content-type': 'text/plain' }
  expect((await ask('/device', { method: 'POST', body: '{"code":"c2"}', headers })).status).toBe(415)
  expect(codes).toEqual(['c1'])
})

const rpc = (method: string, id?: number) =>
  JSON.stringify({ jsonrpc: '2.0', method, params: {}, ...(id === undefined ? {} : { id }) })

test('a call over /rpc is one of rpc unless a face of Plexus names itself', async () => {
  const vias: unknown[] = []
  const engine = {
    listSessions: async ({ caller }: { caller: Caller }) => {
      vias.push(caller.via)
      return []
    },
  } as unknown as Engine
  const named: Record<string, Caller> = { ...callers, page: { ...CALLERS.operator, via: 'page' } }
  const { ask } = await routesServer(named, { engine })
  const call = (as: string) => ask('/rpc', { method: 'POST', as, body: rpc('listSessions', 1) })
  expect(JSON.parse((await call('operator')).body)).toMatchObject({ id: 1, result: [] })
  await call('page')
  expect(vias).toEqual(['rpc', 'page'])
})

test('over /rpc a notification has no body, a stream is sent where it is accepted, and a body that is no JSON does nothing', async () => {
  let calls = 0
  const engine = { listSessions: async () => ++calls && [] } as unknown as Engine
  const { ask } = await routesServer(callers, { engine })
  const post = (body: string, headers: Record<string, string> = {}) =>
    ask('/rpc', { method: 'POST', as: 'client', body, headers })
  expect(await post(rpc('listSessions'))).toMatchObject({ status: 204, body: '' })
  const streamed = await post(rpc('listSessions', 1), { accept: 'application/json, text/event-stream' })
  expect(streamed.headers['content-type']).toBe('text/event-stream')
  expect(streamed.body).toContain('data: {"jsonrpc":"2.0","id":1,"result":[]}')
  const plain = await post(rpc('listSessions', 2), { accept: 'text/event-streams' })
  expect(plain.headers['content-type']).toContain('application/json')
  expect(calls).toBe(3)
  expect((await post(rpc('listSessions', 3), { 'content-type': 'text/plain' })).status).toBe(415)
  expect(calls).toBe(3)
})

test('a caller that is refused is reported with the path and the reason, and an error of ours is logged and not shown', async () => {
  const refused: RefusedCall[] = []
  const logged: [string, unknown][] = []
  const log = {
    debug: () => {},
    info: () => {},
    warn: () => {},
    error: (text: string, fields: unknown) => void logged.push([text, fields]),
  }
  const engine = {
    listSessions: async () => {
      throw new TypeError('a secret of ours')
    },
  } as unknown as Engine
  const { ask } = await routesServer(
    callers,
    { engine, log, onRefused: (call) => void refused.push(call) },
    { onSocket: true },
  )
  expect((await ask('/metrics', { as: 'child' })).status).toBe(403)
  expect(refused).toEqual([
    {
      caller: CALLERS.itself.name,
      method: '/metrics',
      reason: expect.stringContaining('child session') as unknown,
    },
  ])
  const { body } = await ask('/rpc', { method: 'POST', as: 'client', body: rpc('listSessions', 1) })
  expect(body).not.toContain('secret')
  const call = { tool: 'claude_list', arguments: {}, known: { sessions: [], questions: [] } }
  const answered = await ask('/operation', { method: 'POST', as: 'client', body: JSON.stringify(call) })
  expect(answered.body).not.toContain('secret')
  expect(logged.map(([text, fields]) => [text, (fields as { method: string }).method])).toEqual([
    ['A call failed.', 'listSessions'],
    ['A call failed.', 'claude_list'],
  ])
})
