import { once } from 'node:events'
import { rm, writeFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { clientToken } from '../../../src/hub/tokens/client-tokens.ts'
import type { Session } from '../../../src/sessions/record/session.ts'
import { eventually } from '../../rig/tools/eventually.ts'
import { type Hub, hubPlace } from '../../rig/hubs/hub.ts'

const as = (token: string) => ({ authorization: `Bearer ${token}` })

async function statusFor(hub: Hub, token: string): Promise<number> {
  const headers = { ...as(token), 'content-type': 'application/json' }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'listSessions', params: {} })
  return (await fetch(`${hub.url}/rpc`, { method: 'POST', headers, body })).status
}

test('S33: a token ends with its file, at once, and the next one counts at once, of a client and of the operator', async () => {
  const place = await hubPlace()
  const hub = await place.start()
  const other = await clientToken(place.home, 'other')
  const files = {
    'clients/editor.token': await clientToken(place.home, 'editor'),
    'operator.token': hub.token,
  }
  for (const [name, token] of Object.entries(files)) {
    const path = join(place.home, name)
    expect(await statusFor(hub, token)).toBe(200)
    await rm(path)
    expect(await statusFor(hub, token)).toBe(401)
    const next = `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`
    await writeFile(path, `${next}\n`, { mode: 0o600 })
    expect([await statusFor(hub, token), await statusFor(hub, next)]).toEqual([401, 200])
    await writeFile(path, `${token}\n`, { mode: 0o600 })
    expect([await statusFor(hub, token), await statusFor(hub, next)]).toEqual([200, 401])
    expect(await statusFor(hub, other)).toBe(200)
  }
})

test('S38: streams and waits end with the token that they were opened with, and no others', async () => {
  const place = await hubPlace()
  const hub = await place.start()
  const tokens = [await clientToken(place.home, 'editor'), await clientToken(place.home, 'other')]
  const streams = await Promise.all(
    tokens.map(async (token) => {
      const { id } = await hub.call<Session>('createSession', { options: {} }, as(token))
      const wait = hub.call('waitFor', { seconds: 50 }, as(token))
      const response = await fetch(`${hub.url}/events?session=${id}`, { headers: as(token) })
      onTestFinished(() => response.body?.cancel().catch(() => {}))
      const state = { stream: 'open', wait: 'open' }
      void response
        .text()
        .catch(() => {})
        .finally(() => (state.stream = 'ended'))
      void wait.catch(() => {}).finally(() => (state.wait = 'ended'))
      return state
    }),
  )
  await rm(join(place.home, 'clients/editor.token'))
  await eventually(() => expect(streams[0]).toEqual({ stream: 'ended', wait: 'ended' }))
  expect(streams[1]).toEqual({ stream: 'open', wait: 'open' })
})

test('S38: no client has a name that means somebody else beside an answer', async () => {
  const place = await hubPlace()
  const hub = await place.start()
  for (const name of ['operator', 'Owner', 'person', '3f1b6a52-9d55-4c1e-8f0e-1f6a7d1c2b3a'])
    expect([name, await statusFor(hub, await clientToken(place.home, name))]).toEqual([name, 401])
  expect(await statusFor(hub, await clientToken(place.home, 'operators'))).toBe(200)
})

test('S38: connections without a token keep nobody out who has one, however many there are', async () => {
  const place = await hubPlace()
  const hub = await place.start()
  const silent: Socket[] = []
  onTestFinished(() => silent.forEach((socket) => void socket.destroy()))
  for (let n = 0; n < 1_000; n++) {
    const socket = connect(hub.port, '127.0.0.1').on('error', () => {})
    silent.push(socket)
    await once(socket, 'connect')
  }
  expect(await statusFor(hub, hub.token)).toBe(200)
})
