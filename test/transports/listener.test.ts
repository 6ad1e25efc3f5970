import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { Listener } from '../../src/transports/listener.ts'
import { eventually } from '../rig/eventually.ts'
import { temporaryFolder } from '../rig/real-cli.ts'

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
