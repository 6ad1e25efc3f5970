import { once } from 'node:events'
import { Agent, get, type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { Listener } from '../../../src/transports/http/listener.ts'
import { eventually } from '../../rig/tools/eventually.ts'
import { resolvable } from '../../rig/clients/people.ts'
import { temporaryFolder } from '../../rig/cli/real-cli.ts'

async function opened(): Promise<Listener> {
  const listener = await Listener.open({ port: 0, socket: join(await temporaryFolder(), 'hub.sock') })
  onTestFinished(() => listener.close(0))
  return listener
}

test('a hub does not stay for who only looks on, also between two looks', async () => {
  const socketPath = join(await temporaryFolder(), 'hub.sock')
  const listener = await Listener.open({ port: 0, socket: socketPath })
  onTestFinished(() => listener.close(0))
  listener.answerWith(async (_, response) => void response.end('seen'))
  const client = async (headers: Record<string, string>) => {
    const sent = request({ socketPath, headers, agent: new Agent({ keepAlive: true }) }).end()
    const [response] = (await once(sent, 'response')) as [NodeJS.ReadableStream]
    await once(response.resume(), 'end')
    return sent.socket
  }
  const onlooker = await client({ 'x-plexus-onlooker': '1' })
  expect(await listener.connections()).toBe(0)
  await client({})
  expect(await listener.connections()).toBe(1)
  onlooker?.destroy()
  await eventually(async () => expect(await listener.connections()).toBe(1))
})

test('R32: a stream that is opened while the hub starts waits for it, and is no error while it stops', async () => {
  const listener = await opened()
  const stream = () =>
    new Promise<number | undefined>((resolve) => {
      get(`http://127.0.0.1:${listener.port}/events`, ({ statusCode }) => resolve(statusCode)).on(
        'error',
        () => resolve(undefined),
      )
    })
  const health = request({ port: listener.port, path: '/healthz' }).end()
  const early = stream()
  const [{ statusCode }] = (await once(health, 'response')) as [IncomingMessage]
  expect(statusCode).toBe(503)
  const [held, seen] = [resolvable<void>(), resolvable<void>()]
  listener.answerWith(async ({ url }, response) => {
    if (url === '/held') seen.resolve()
    if (url === '/held') await held.promise
    response.end('here')
  })
  expect(await early).toBe(200)
  const open = connect(listener.port, '127.0.0.1')
  open.write('GET /held HTTP/1.1\r\nHost: a\r\n\r\n')
  await seen.promise
  const closed = listener.close(5_000)
  open.write('GET /events HTTP/1.1\r\nHost: a\r\n\r\n')
  held.resolve()
  let answers = ''
  open.setEncoding('utf8').on('data', (text: string) => (answers += text))
  open.on('error', () => {}) // it is cut off
  await new Promise((resolve) => open.once('close', resolve))
  await closed
  expect(answers).toContain('here')
  expect(answers).not.toContain('503')
})

test('R32: a client that reads no answers has only a few of them held, and all when it reads', async () => {
  const listener = await opened()
  let begun = 0
  const answer = 'x'.repeat(4_000_000)
  listener.answerWith(async (_, response) => {
    begun++
    response.end(answer)
  })
  const client = connect(listener.port, '127.0.0.1').pause()
  client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(20))
  await eventually(() => expect(begun).toBeGreaterThan(0))
  await fetch(`http://127.0.0.1:${listener.port}`).then((response) => response.text())
  expect(begun).toBeLessThan(1 + 1 + 6)
  let bytes = 0
  client.on('data', (chunk: Buffer) => (bytes += chunk.length)).resume()
  await eventually(() => expect(bytes).toBeGreaterThan(20 * answer.length))
  client.destroy()
})
