import { createHash, randomBytes } from 'node:crypto'
import { request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { beforeEach, describe, expect, test } from 'vitest'
import { clientToken } from '../../../src/hub/tokens/client-tokens.ts'
import { openSqliteStore } from '../../../src/store/sqlite/open.ts'
import { httpClient } from '../../rig/clients/mcp-clients.ts'
import { eventually } from '../../rig/tools/eventually.ts'
import { type Hub, type HubPlace, hubPlace } from '../../rig/hubs/hub.ts'
import { asCallerId } from '../../rig/tools/ids.ts'

let place: HubPlace
let hub: Hub
beforeEach(async () => {
  place = await hubPlace({ env: { LOG_LEVEL: 'debug' } })
  hub = await place.start()
})

interface Answer {
  readonly status: number
  readonly head: string
  readonly body: string
}

/** Sends exactly these bytes and reads until the hub closes. */
async function raw(bytes: string, to: Partial<Where> = {}): Promise<Answer> {
  const socket = connect(to.path === undefined ? { port: hub.port, host: '127.0.0.1' } : { path: to.path })
  socket.on('error', () => {})
  socket.write(bytes)
  return answerFrom(socket)
}
interface Where {
  readonly path: string
}

async function answerFrom(socket: Socket): Promise<Answer> {
  const [head = '', ...rest] = (await text(socket)).split('\r\n\r\n')
  return { status: Number(head.split(' ')[1]), head, body: rest.join('\r\n\r\n') }
}

interface Request {
  readonly method?: string
  readonly path?: string
  readonly headers?: Readonly<Record<string, string | undefined>>
  readonly body?: string
}

/** A request that would be fine, but for what is said otherwise. A header that is undefined is left out. */
function textOf({ method = 'POST', path = '/rpc', headers = {}, body = CALL }: Request): string {
  const all: Record<string, string | undefined> = {
    Host: `127.0.0.1:${hub.port}`,
    Authorization: `Bearer ${hub.token}`,
    'Content-Type': 'application/json',
    'Content-Length': String(Buffer.byteLength(body)),
    Connection: 'close',
    ...headers,
  }
  const lines = Object.entries(all).flatMap(([name, value]) =>
    value === undefined ? [] : `${name}: ${value}`,
  )
  return [`${method} ${path} HTTP/1.1`, ...lines, '', body].join('\r\n')
}

const CALL = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'listSessions', params: {} })
const send = (wish: Request = {}): Promise<Answer> => raw(textOf(wish))

test('S3: a request with nothing odd about it is answered, on the port and on the socket', async () => {
  const fine = { status: 200, body: '{"jsonrpc":"2.0","id":1,"result":[]}' }
  expect(await send()).toMatchObject(fine)
  expect(await raw(textOf({ headers: { Host: 'plexus' } }), { path: hub.socket })).toMatchObject(fine)
})

test('S3: what clients of ours call on the socket is not there on the port, and needs a token on either', async () => {
  const body = JSON.stringify({ tool: 'claude_list', arguments: {}, known: { sessions: [], questions: [] } })
  const call = { path: '/operation', body }
  const strangers = { ...call, headers: { Authorization: undefined } }
  expect(await send(call)).toMatchObject({ status: 404, body: (await send({ path: '/nowhere' })).body })
  expect(await send(strangers)).toMatchObject({ status: 401 })
  expect(await raw(textOf(strangers), { path: hub.socket })).toMatchObject({ status: 401 })
  const answered = await raw(textOf(call), { path: hub.socket })
  expect(answered).toMatchObject({ status: 200, body: expect.stringContaining('"sessions":[]') as string })
})

test('S3: a request by another name, from another page or from another site is refused, with a token or without', async () => {
  const forged: Record<string, string | undefined>[] = [
    { Host: 'evil.example' },
    { Host: `evil.example:${hub.port}` },
    { Host: '127.0.0.1' },
    { Origin: 'https://evil.example' },
    { Origin: 'null' },
    { Origin: `http://127.0.0.1:${hub.port + 1}` },
    { 'Sec-Fetch-Site': 'cross-site' },
  ]
  for (const headers of forged)
    for (const path of ['/rpc', '/mcp', '/mcp/child', '/healthz', '/', '/events', '/nowhere'])
      for (const Authorization of [`Bearer ${hub.token}`, undefined]) {
        const method = ['/rpc', '/mcp', '/mcp/child'].includes(path) ? 'POST' : 'GET'
        const { status, head } = await send({ method, path, headers: { ...headers, Authorization } })
        expect([status, headers, path]).toEqual([403, headers, path])
        expect(head).not.toMatch(/access-control/i)
      }
})

test('S3: two hosts, no host, and a target of somebody else are refused', async () => {
  const twice = textOf({ method: 'GET', path: '/healthz', body: '' }).replace(
    'Authorization',
    'Host: evil.example\r\nAuthorization',
  )
  expect((await raw(twice)).status).toBeGreaterThanOrEqual(400)
  expect((await raw('GET /healthz HTTP/1.0\r\n\r\n')).status).toBe(403)
  expect((await raw('GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n')).status).toBe(400)
  expect((await send({ method: 'GET', path: 'http://evil.example/' })).status).toBe(403)
})

test('S3: without a token every path and method is 401, and all of them the same; with a wrong one too', async () => {
  const revoked = randomBytes(32).toString('base64url')
  await hub.kill('SIGTERM')
  const store = await openSqliteStore(join(place.home, 'plexus.db'))
  const tokenHash = createHash('sha256').update(revoked).digest('hex')
  const client = {
    id: asCallerId('c'),
    kind: 'client',
    name: 'c',
    tokenHash,
    scopes: [],
    createdAt: 1,
  } as const
  await store.callers.put({ ...client, revokedAt: 2 })
  await store.close()
  hub = await place.start()
  const tokens = [undefined, 'Bearer', 'Bearer wrong', `Bearer ${revoked}`, `Basic ${hub.token}`, hub.token]
  const bodies = new Set<string>()
  for (const Authorization of tokens)
    for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'])
      for (const path of [
        '/rpc',
        '/events?session=x',
        '/metrics',
        '/mcp',
        '/mcp/child',
        '/nowhere',
        '/healthz/x',
        '//healthz',
      ]) {
        const answer = await send({ method, path, headers: { Authorization } })
        expect([answer.status, method, path]).toEqual([401, method, path])
        bodies.add(`${Authorization === undefined} ${answer.body}`)
      }
  expect(bodies.size).toBe(2)
  for (const path of ['/healthz', '/'])
    expect((await send({ path, headers: { Authorization: undefined } })).status).toBe(401)
})

test('S3: a browser without a token gets one small page at every address that is not open, and it leads to the first', async () => {
  const bodies = new Set<string>()
  for (const path of ['/nothing', '/rpc', '/events', '/metrics', '/mcp', '/mcp/child', '/operation']) {
    const open = {
      method: 'GET',
      path,
      headers: { Authorization: undefined, Accept: 'text/html,*/*' },
      body: '',
    }
    const { status, head, body } = await send(open)
    expect([path, status]).toEqual([path, 404])
    expect(head).toMatch(/^content-security-policy: default-src 'none'/im)
    bodies.add(body)
  }
  expect([...bodies]).toEqual([expect.stringContaining('<a href="/">')])
})

test('S3: /healthz and / need no token and say nothing of anybody', async () => {
  const open = { method: 'GET', headers: { Authorization: undefined }, body: '' }
  const health = await send({ ...open, path: '/healthz' })
  expect(JSON.parse(health.body)).toEqual({ status: 'ok', version: expect.stringMatching(/^\d/) })
  const page = await send({ ...open, path: '/' })
  expect(page).toMatchObject({ status: 200, body: expect.stringContaining('Plexus') })
  expect(page.body).not.toContain(place.home)
  expect(page.head).toMatch(/content-security-policy: default-src 'none';.*frame-ancestors 'none'/i)
  expect(page.head).toMatch(/x-content-type-options: nosniff/i)
  expect((await send({ ...open, method: 'HEAD', path: '/' })).body).toBe('')
})

test('S3: with a token a path that is not there is 404, and a wrong method 405', async () => {
  expect((await send({ path: '/nowhere' })).status).toBe(404)
  expect((await send({ path: '/__proto__' })).status).toBe(404)
  expect((await send({ path: '/metrics' })).status).toBe(405)
  expect((await send({ path: '/mcp/child' })).status).toBe(403) // the operator is no child
  expect((await send({ method: 'GET', path: '/rpc' })).status).toBe(405)
})

test('S3: nothing listens but 127.0.0.1', async () => {
  const others = Object.values(networkInterfaces()).flatMap((all) => all ?? [])
  const addresses = others.filter(({ internal }) => !internal).map(({ address }) => address)
  for (const host of [...addresses, '::1']) {
    const socket = connect({ port: hub.port, host })
    const outcome = await new Promise((resolve) => {
      socket.on('connect', () => resolve('connected')).on('error', () => resolve('refused'))
    })
    socket.destroy()
    expect([host, outcome]).toEqual([host, 'refused'])
  }
})

describe('S4: what is too large, too deep, too slow or no JSON', () => {
  test('anything but application/json is 415', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/json-rpc', undefined])
      for (const path of ['/rpc', '/mcp'])
        expect((await send({ path, headers: { 'Content-Type': type } })).status).toBe(415)
  })

  test('what is no message of MCP is refused, and a sentence in the log for whoever sent it', async () => {
    const accept = { Accept: 'application/json, text/event-stream' }
    const version = { ...accept, 'MCP-Protocol-Version': '2026-07-28' }
    expect((await send({ path: '/mcp', headers: version, body: '{"hello":1}' })).status).toBe(400)
    await hub.kill('SIGTERM')
    const lines = place.stderr
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, string>)
    expect(lines.filter(({ level }) => level !== 'info')).toMatchObject([
      { level: 'warn', message: 'A call was refused.', caller: 'operator', method: '/mcp' },
    ])
    expect(place.stderr).not.toMatch(/\bat .*:\d+:\d+/)
  })

  test('a body of more than 16 MiB is 413, announced or not, and one of nearly 16 MiB is read', async () => {
    for (const path of ['/rpc', '/mcp']) {
      const headers = { 'Content-Length': String(16 * 1024 * 1024 + 1) }
      expect((await send({ path, headers, body: '' })).status).toBe(413)
    }
    expect((await send({ body: 'a'.repeat(17 * 1024 * 1024) })).status).toBe(413)
    expect((await streamed(17)).status).toBe(413)
    expect(await streamed(15)).toMatchObject({ status: 200, body: expect.stringContaining('-32700') })
  })

  test('JSON that is nested too deeply is refused before it is parsed', async () => {
    for (const path of ['/rpc', '/mcp']) {
      expect((await send({ path, body: deep(64) })).status).toBe(400)
      expect((await send({ path, body: '['.repeat(1_000_000) })).status).toBe(400)
    }
    expect(await send({ body: deep(63) })).toMatchObject({
      status: 200,
      body: expect.stringContaining('-32602'),
    })
  })

  test('a head that is too large is 431, and no number of headers hides one', async () => {
    expect((await send({ headers: { 'X-Large': 'a'.repeat(20_000) } })).status).toBe(431)
    expect((await send({ path: `/rpc?${'a'.repeat(20_000)}` })).status).toBe(431)
    const many = Array.from({ length: 1_500 }, (_, at) => [`X${at}`, '1'] as const)
    const hidden = { ...Object.fromEntries(many), Origin: 'https://evil.example' }
    expect((await send({ headers: hidden })).status).toBe(403)
  })

  test('what is no HTTP is 400', async () => {
    expect((await raw('hello\r\n\r\n')).status).toBe(400)
    const both = { headers: { 'Transfer-Encoding': 'chunked', 'Content-Length': '5' }, body: '0\r\n\r\n' }
    expect((await send(both)).status).toBe(400)
  })

  test('bodies that are not JSON-RPC get the error that says so', async () => {
    expect(await codeOf('{')).toBe(-32700)
    expect(await codeOf('')).toBe(-32700)
    expect(await codeOf('[]')).toBe(-32600)
    expect(await codeOf('{"method":"listSessions","id":1}')).toBe(-32600)
    expect(await codeOf(JSON.stringify(Array.from({ length: 51 }, () => JSON.parse(CALL) as unknown)))).toBe(
      -32600,
    )
    expect(await codeOf('{"jsonrpc":"2.0","id":1,"method":"toString"}')).toBe(-32601)
    expect(await codeOf('{"jsonrpc":"2.0","id":1,"method":"getSession","params":{"sessionId":7}}')).toBe(
      -32602,
    )
    expect(await codeOf('{"jsonrpc":"2.0","id":1,"method":"getSession","params":{"sessionId":"x"}}')).toBe(
      -32000,
    )
  })

  test('a batch is answered one by one, and a notification not at all', async () => {
    const call = JSON.parse(CALL) as object
    const { body } = await send({
      body: JSON.stringify([call, { ...call, id: 'b' }, { ...call, id: undefined }]),
    })
    expect((JSON.parse(body) as { id: unknown }[]).map(({ id }) => id)).toEqual([1, 'b'])
    expect(await send({ body: JSON.stringify({ ...call, id: undefined }) })).toMatchObject({
      status: 204,
      body: '',
    })
  })

  test('a client that never finishes its head or its body is let go, and holds up nobody', async () => {
    const [head, body] = [0, 1].map(() => connect({ port: hub.port, host: '127.0.0.1' })) as [Socket, Socket]
    head.write('POST /rpc HTTP/1.1\r\nHost: ')
    body.write(textOf({ headers: { 'Content-Length': '1000' } }))
    expect((await send()).status).toBe(200)
    expect((await answerFrom(head)).status).toBe(408)
    expect((await answerFrom(body)).status).toBe(408)
  })

  test('more connections than there may be are closed, and the socket still answers', async () => {
    let unanswered = 0 // one that was only too slow is told so
    const all = Array.from({ length: 600 }, () => connect({ port: hub.port, host: '127.0.0.1' }))
    for (const socket of all) {
      socket.on('close', () => (unanswered += socket.bytesRead === 0 ? 1 : 0))
      socket.on('error', () => {}).resume()
      socket.write('GET / HT')
    }
    await eventually(() => expect(unanswered).toBeGreaterThanOrEqual(600 - 512))
    expect((await raw(textOf({}), { path: hub.socket })).status).toBe(200)
    for (const socket of all) socket.destroy()
    await eventually(async () => expect((await send()).status).toBe(200))
  })

  test('a client that waits for 100 Continue gets it, once it may send', async () => {
    const asked = textOf({ headers: { Expect: '100-continue' } })
    expect((await raw(asked)).head).toMatch(/^HTTP\/1.1 100 Continue/)
    const refused = textOf({ headers: { Expect: '100-continue', Authorization: undefined } })
    expect((await raw(refused)).head).toMatch(/^HTTP\/1.1 401/)
  })
})

test('S11: no answer has a stack trace or a token in it, and neither has the log, whoever the token belongs to', async () => {
  const { mcp_config: config } = await hub.call<{
    mcp_config: { mcpServers: { plexus: { env: { PLEXUS_RELAY_TOKEN: string } } } }
  }>('loopback.configure', {})
  const session = config.mcpServers.plexus.env.PLEXUS_RELAY_TOKEN
  const tokens = [hub.token, await clientToken(place.home, 'somebody'), session]
  for (const token of tokens) {
    const as = { Authorization: `Bearer ${token}` }
    const answers = [
      await send({ headers: as, body: '{' }),
      await send({
        headers: as,
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getSession', params: { token } }),
      }),
      await send({ headers: as, path: `/nowhere?token=${token}` }),
      await send({ path: '/%ff%00', headers: { Authorization: `Bearer ${token}x` } }),
      await send({
        headers: as,
        path: `/events?session=${encodeURIComponent('\0')}&after=x`,
        method: 'GET',
        body: '',
      }),
      await send({ headers: as, path: '/mcp', body: `{"${token}":` }),
    ]
    for (const { head, body } of answers) {
      expect(`${head}${body}`).not.toContain(token)
      expect(`${head}${body}`).not.toMatch(/\bat .*:\d+:\d+|node:|\.ts\b|\.mjs\b/)
    }
    await send({ headers: as, body: CALL.replace('listSessions', token) }) // it may say what was not understood
  }
  await hub.kill('SIGTERM')
  expect(place.stderr).toContain('The hub is ready.')
  for (const token of tokens) expect(place.stderr + place.stdout).not.toContain(token)
})

test('S16: whoever speaks MCP over HTTP is a model, whatever its headers claim', async () => {
  const headers = { 'x-plexus-model': 'bypass', 'x-plexus-person': '1' }
  const options = { workingDirectory: place.project, permissionMode: 'bypassPermissions' }
  expect(await hub.call('createSession', { options }, headers)).toMatchObject({ status: 'idle' })
  const client = await httpClient('2026', hub, undefined, { headers })
  const named = { working_dir: place.project, permission_mode: 'bypassPermissions', name: 'mine' }
  await expect(client.call('claudecode_create', named)).rejects.toMatchObject({ code: 'forbidden' })
})

const deep = (levels: number): string =>
  `{"jsonrpc":"2.0","id":1,"method":"listSessions","params":${'['.repeat(levels)}${']'.repeat(levels)}}`

async function codeOf(body: string): Promise<number> {
  return (JSON.parse((await send({ body })).body) as { error: { code: number } }).error.code
}

/** A body of unannounced length. */
async function streamed(megabytes: number): Promise<Answer> {
  const headers = { authorization: `Bearer ${hub.token}`, 'content-type': 'application/json' }
  const sent = request(`${hub.url}/rpc`, { method: 'POST', headers })
  const answered = new Promise<Answer>((resolve, reject) => {
    sent.on('error', reject)
    sent.on('response', (response) => {
      void text(response).then((body) => resolve({ status: response.statusCode ?? 0, head: '', body }))
    })
  })
  for (let at = 0; at < megabytes; at++) sent.write('a'.repeat(1024 * 1024))
  sent.end()
  return answered
}
