import { once } from 'node:events'
import { type IncomingMessage, request, type RequestOptions } from 'node:http'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { refuse, reply, replyJson } from '../../../src/transports/http/reply.ts'
import { serveLocally } from '../../rig/tools/local-server.ts'

const NO = { status: 403, body: { error: 'nö' } }
const NO_TEXT = JSON.stringify(NO.body)

async function responseTo(port: number, options: RequestOptions, body?: string) {
  const sent = request({ port, ...options })
  sent.on('error', () => {}).end(body)
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  return { status: response.statusCode, headers: response.headers, text: await text(response) }
}

test('a reply has its length in bytes, its own headers, and is never cached or guessed at', async () => {
  const port = await serveLocally((_, response) =>
    reply(response, 201, 'ä', { 'content-type': 'text/plain' }),
  )
  const got = await responseTo(port, {})
  expect(got).toMatchObject({
    status: 201,
    text: 'ä',
    headers: {
      'content-type': 'text/plain',
      'content-length': '2',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    },
  })
  expect(await responseTo(port, { method: 'HEAD' })).toMatchObject({
    status: 201,
    text: '',
    headers: { 'content-length': '2' },
  })
})

test('a value is sent as JSON', async () => {
  const port = await serveLocally((_, response) => replyJson(response, 200, { a: 1 }))
  expect(await responseTo(port, {})).toMatchObject({
    text: '{"a":1}',
    headers: { 'content-type': 'application/json' },
  })
})

test.each([
  ['without a body', {}, undefined],
  ['with an empty body', { method: 'POST', headers: { 'content-length': '0' } }, undefined],
  ['with a body of known length', { method: 'POST', headers: { 'content-length': '2' } }, '{}'],
  ['with a body of unknown length', { method: 'POST', headers: { 'transfer-encoding': 'chunked' } }, '{}'],
])('a refused request %s gets the whole response, and the connection is closed', async (_, options, body) => {
  const port = await serveLocally((incoming, response) =>
    refuse(incoming, response, { ...NO, headers: { allow: 'GET' } }),
  )
  expect(await responseTo(port, options, body)).toMatchObject({
    status: 403,
    text: NO_TEXT,
    headers: {
      connection: 'close',
      allow: 'GET',
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(NO_TEXT)),
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    },
  })
})

test('a HEAD request with a body is refused without a text', async () => {
  const port = await serveLocally((incoming, response) => refuse(incoming, response, NO))
  const headers = { 'content-length': '2' }
  expect(await responseTo(port, { method: 'HEAD', headers }, '{}')).toMatchObject({ status: 403, text: '' })
})

/** Refuses a request, and says whether the response was over at once. */
async function isOverAtOnce(options: RequestOptions, body?: string): Promise<boolean> {
  let isOver = false
  const port = await serveLocally((incoming, response) => {
    refuse(incoming, response, NO)
    isOver = response.writableEnded
  })
  await responseTo(port, options, body)
  return isOver
}

const post = (headers: Record<string, string>) => ({ method: 'POST', headers })

test('the response to a client that may still be sending is not over at once, so that the client can read it', async () => {
  expect(await isOverAtOnce({})).toBe(true)
  expect(await isOverAtOnce(post({ 'content-length': '0' }))).toBe(true)
  expect(await isOverAtOnce(post({ 'content-length': '2' }), '{}')).toBe(false)
  expect(await isOverAtOnce(post({ 'transfer-encoding': 'chunked' }), '{}')).toBe(false)
})

test('the response to a request whose body was read is over at once', async () => {
  let isOver = false
  const port = await serveLocally((incoming, response) => {
    incoming.resume().once('end', () => {
      refuse(incoming, response, NO)
      isOver = response.writableEnded
    })
  })
  await responseTo(port, { method: 'POST', headers: { 'content-length': '2' } }, '{}')
  expect(isOver).toBe(true)
})

test('a client that never completes its body has the response, and is cut off after a moment', async () => {
  const port = await serveLocally((incoming, response) => refuse(incoming, response, NO))
  const sent = request({ port, method: 'POST', headers: { 'content-length': '100000' } })
  const closed = once(
    sent.on('error', () => {}),
    'close',
  )
  sent.write('{')
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  expect(await text(response)).toBe(NO_TEXT)
  await closed
})
