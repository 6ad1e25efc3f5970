import { EventEmitter, once } from 'node:events'
import { expect, test } from 'vitest'
import { serveWeb, type WebHandler } from '../../../src/transports/http/web-request.ts'
import { serveLocally } from '../../rig/tools/local-server.ts'

/** The URL of a server that answers by this handler. */
async function serve(handler: WebHandler): Promise<string> {
  const port = await serveLocally((request, response) => void serveWeb(request, response, handler))
  return `http://127.0.0.1:${port}`
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

test('a HEAD request has an answer without a text', async () => {
  const url = await serve(async ({ method }) => Response.json({ method }, { status: 201 }))
  const answer = await fetch(url, { method: 'HEAD' })
  expect([answer.status, await answer.text()]).toEqual([201, ''])
})

test('an answer that breaks in the middle is no whole answer for the client', async () => {
  const broken = new ReadableStream({
    start: (to) => to.enqueue(new TextEncoder().encode('first')),
    pull: (to) => to.error(new Error('broken')),
  })
  const answer = await fetch(await serve(async () => new Response(broken)))
  await expect(answer.text()).rejects.toThrow('terminated')
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
