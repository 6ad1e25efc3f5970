import { EventEmitter, once } from 'node:events'
import { createServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { serveWeb, type WebHandler } from '../../../src/transports/http/web-request.ts'

/** The URL of a server that answers by this handler. */
async function serve(handler: WebHandler): Promise<string> {
  const server = createServer((request, response) => void serveWeb(request, response, handler))
  onTestFinished(() => void server.close())
  onTestFinished(() => server.closeAllConnections())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
}

test('method, path, headers and body arrive, and so do status, headers and body of the answer', async () => {
  const url = await serve(async (request) => {
    const { pathname, search } = new URL(request.url)
    const said = [request.method, pathname, search, request.headers.get('x-one'), await request.text()]
    return Response.json(said, { status: 201, headers: { 'x-two': '2' } })
  })
  const body = 'ä'.repeat(200_000)
  const answer = await fetch(`${url}/a/b?c=d`, { method: 'POST', headers: { 'x-one': '1' }, body })
  expect(answer).toMatchObject({ status: 201 })
  expect(answer.headers.get('x-two')).toBe('2')
  expect(await answer.json()).toEqual(['POST', '/a/b', '?c=d', '1', body])
  expect(await (await fetch(`${url}/`)).json()).toEqual(['GET', '/', '', null, ''])
})

test('an answer without a body ends, and one that streams is read as it comes', async () => {
  const { readable: streamed, writable } = new TextEncoderStream()
  const writer = writable.getWriter()
  const url = await serve(async ({ method }) =>
    method === 'DELETE' ? new Response(null, { status: 405 }) : new Response(streamed),
  )
  expect(await fetch(url, { method: 'DELETE' })).toMatchObject({ status: 405 })
  const reader = (await fetch(url)).body?.pipeThrough(new TextDecoderStream()).getReader()
  void writer.write('first')
  expect((await reader?.read())?.value).toBe('first')
  void writer.write('second').then(() => writer.close())
  expect((await reader?.read())?.value).toBe('second')
})

test.each([
  ['before the answer', () => new Promise<Response>(() => {})],
  ['in the middle of it', async () => new Response(new ReadableStream())],
])('when the other side goes away %s, the signal aborts', async (_, answer) => {
  const signals: AbortSignal[] = []
  const arrivals = new EventEmitter()
  const url = await serve(({ signal }) => {
    signals.push(signal)
    arrivals.emit('one')
    return answer()
  })
  const leave = new AbortController()
  const arrived = once(arrivals, 'one')
  const asking = fetch(url, { signal: leave.signal })
  await arrived
  const [signal] = signals
  if (!signal) throw new Error('nothing came')
  const aborted = once(signal, 'abort')
  leave.abort()
  await expect(asking.then((got) => got.text())).rejects.toThrow('abort')
  await aborted
  expect(signal.aborted).toBe(true)
})
