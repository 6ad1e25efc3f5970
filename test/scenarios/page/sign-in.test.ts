import { request } from 'node:http'
import { expect, test } from 'vitest'
import { type Hub, hubPlace } from '../../rig/hubs/hub.ts'

interface Answer {
  readonly status: number
  readonly body: { readonly token?: string; readonly error?: { readonly message: string } } & Record<
    string,
    unknown
  >
}

/** By `node:http`, because `fetch` lets nobody choose the host name. */
function send(
  hub: Hub,
  path: string,
  { body = {}, headers = {} }: { body?: object; headers?: Record<string, string> },
): Promise<Answer> {
  const type = { 'content-type': 'application/json' }
  return new Promise((resolve, reject) => {
    const sent = request(`${hub.url}${path}`, { method: 'POST', headers: { ...type, ...headers } }, (got) => {
      let text = ''
      got.setEncoding('utf8').on('data', (part: string) => (text += part))
      got.on('end', () => resolve({ status: got.statusCode ?? 0, body: JSON.parse(text) as Answer['body'] }))
    })
    sent.once('error', reject).end(JSON.stringify(body))
  })
}

const bearer = (token: unknown) => ({ authorization: `Bearer ${String(token)}` })
const call = (method: string, params: object = {}) => ({ jsonrpc: '2.0', id: 1, method, params })

async function deviceOf(hub: Hub, scope: string): Promise<string> {
  const { code } = await hub.call<{ code: string }>('inviteDevice', { scope })
  const { body } = await send(hub, '/device', { body: { code, name: 'laptop' } })
  return body.token ?? ''
}

test('S5: a one-time code makes a browser a device; the device reaches the page’s paths and no others, and ends at once when it is removed', async () => {
  const hub = await (await hubPlace()).start()
  const { code } = await hub.call<{ code: string }>('inviteDevice', { scope: 'operate' })
  expect(await send(hub, '/device', { body: { code: 'wrong', name: 'x' } })).toMatchObject({ status: 403 })
  const first = await send(hub, '/device', { body: { code, name: 'laptop' } })
  expect(first).toMatchObject({ status: 200, body: { status: 'signed_in', device: { name: 'laptop' } } })
  expect(await send(hub, '/device', { body: { code, name: 'laptop' } })).toMatchObject({ status: 403 })

  const headers = bearer(first.body.token)
  expect(await send(hub, '/rpc', { headers, body: call('pending') })).toMatchObject({
    status: 200,
    body: { result: [] },
  })
  for (const path of ['/mcp', '/operation', '/metrics'])
    expect([403, 404, 405]).toContain((await send(hub, path, { headers })).status)
  const more = await send(hub, '/rpc', { headers, body: call('inviteDevice', { scope: 'operate' }) })
  expect(more.body).toMatchObject({ error: { data: { code: 'forbidden' } } })

  await hub.call('removeDevice', { name: 'laptop' })
  expect(await send(hub, '/rpc', { headers, body: call('pending') })).toMatchObject({ status: 401 })
})

test('S5: a model with the operator’s token makes no device', async () => {
  const hub = await (await hubPlace()).start()
  const asked = hub.call('inviteDevice', { scope: 'read' }, { 'x-plexus-model': '1' })
  await expect(asked).rejects.toThrow('only a person')
})

test('S3: through the proxy a device is let in and nobody else; without --behind-proxy its name is refused', async () => {
  const place = await hubPlace()
  const plain = await place.start()
  const proxied = { host: 'box.example.net', origin: 'https://box.example.net' }
  const token = await deviceOf(plain, 'answer')
  const pending = call('pending')
  expect(
    await send(plain, '/rpc', { headers: { ...proxied, ...bearer(token) }, body: pending }),
  ).toMatchObject({
    status: 403,
  })
  await plain.kill('SIGTERM')

  const hub = await place.start('--behind-proxy', 'Box.example.net')
  const under = (headers: Record<string, string>, path = '/rpc', body: object = pending) =>
    send(hub, path, { headers: { ...proxied, ...headers }, body })
  expect(await under(bearer(token))).toMatchObject({ status: 200 })
  expect(await under(bearer(hub.token))).toMatchObject({ status: 401 })
  expect(await under({ ...bearer(token), origin: 'https://evil.example' })).toMatchObject({ status: 403 })
  expect(await under({ ...bearer(token), origin: 'http://box.example.net' })).toMatchObject({ status: 403 })
  expect(await under({ ...bearer(token), 'sec-fetch-site': 'cross-site' })).toMatchObject({ status: 403 })
  const { code } = await hub.call<{ code: string }>('inviteDevice', { scope: 'answer', confirm: true })
  const paired = await under({}, '/device', { code, name: 'phone' })
  expect(paired).toMatchObject({
    status: 200,
    body: { status: 'confirm', number: expect.stringMatching(/^\d{6}$/) as string },
  })
  const link = await hub.call<{ code: string; proxiedUrl?: string }>('inviteDevice', { scope: 'answer' })
  expect(link.proxiedUrl).toBeUndefined()
  const opened = await under({}, '/device', { code: link.code, name: 'phone' })
  expect([opened.status, opened.body.error?.message]).toEqual([403, expect.stringContaining('plexus pair')])
  expect(await send(hub, '/device', { body: { code: link.code } })).toMatchObject({ status: 403 })
})
