import { once } from 'node:events'
import { type IncomingMessage, request, type RequestOptions } from 'node:http'
import { expect, test } from 'vitest'
import { MAX_MESSAGE_BYTES } from '../../../src/base/limits.ts'
import { readBody } from '../../../src/transports/http/read-body.ts'
import { resolvable } from '../../rig/clients/people.ts'
import { serveLocally } from '../../rig/tools/local-server.ts'

type Read = { body: string | undefined } | { error: unknown }

/** A request to a server that reads its body; `read` resolves to what the server has read. */
async function send(options: RequestOptions) {
  const [arrived, read] = [resolvable<void>(), resolvable<Read>()]
  const port = await serveLocally((incoming, response) => {
    arrived.resolve()
    void readBody(incoming, response)
      .then(
        (body) => read.resolve({ body }),
        (error: unknown) => read.resolve({ error }),
      )
      .finally(() => response.end())
  })
  const sent = request({ port, method: 'POST', ...options }).on('error', () => {})
  return { sent, arrived: arrived.promise, read: read.promise }
}

test('a body is read as UTF-8, wherever it is cut', async () => {
  const { sent, read } = await send({})
  const bytes = Buffer.from('{"a":"ä€"}')
  sent.write(bytes.subarray(0, 7))
  sent.end(bytes.subarray(7))
  expect(await read).toEqual({ body: '{"a":"ä€"}' })
})

test.each([
  ['as it says', { 'content-length': `${MAX_MESSAGE_BYTES + 1}` }, 0],
  ['and does not say so', {}, MAX_MESSAGE_BYTES + 1],
])('a body that is one byte too large, %s, is not read', async (_, headers, bytes) => {
  const { sent, read } = await send({ headers })
  sent.flushHeaders()
  if (bytes > 0) sent.end(Buffer.alloc(bytes, 'x'))
  expect(await read).toEqual({ body: undefined })
  sent.destroy()
})

test.each([[{ 'content-length': `${MAX_MESSAGE_BYTES}` }], [{}]])(
  'the largest body is read, with %j',
  async (headers) => {
    const { sent, read } = await send({ headers })
    sent.end(Buffer.alloc(MAX_MESSAGE_BYTES, 'x'))
    expect(await read).toEqual({ body: 'x'.repeat(MAX_MESSAGE_BYTES) })
  },
)

test('a client that asks whether to send its body may, unless it is too large', async () => {
  const { sent, read } = await send({ headers: { expect: '100-continue', 'content-length': '2' } })
  sent.flushHeaders()
  await once(sent, 'continue')
  sent.end('{}')
  expect(await read).toEqual({ body: '{}' })
  const headers = { expect: '100-continue', 'content-length': `${MAX_MESSAGE_BYTES + 1}` }
  const large = await send({ headers })
  let isAsked = false
  large.sent.on('continue', () => (isAsked = true)).flushHeaders()
  await once(large.sent, 'response')
  expect(isAsked).toBe(false)
  large.sent.destroy()
})

test('a client that does not ask gets no 100 Continue', async () => {
  const { sent } = await send({})
  const informed: unknown[] = []
  sent.on('continue', () => informed.push('continue')).end('{}')
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  response.resume()
  expect(informed).toEqual([])
})

test('a client that disconnects in the middle of its body is an error', async () => {
  const { sent, arrived, read } = await send({ headers: { 'content-length': '10' } })
  sent.write('{')
  await arrived
  sent.destroy()
  expect(await read).toEqual({ error: expect.any(Error) as unknown })
})
