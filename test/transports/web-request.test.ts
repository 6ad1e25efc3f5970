import { once } from 'node:events'
import { createServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { serveWeb, type WebHandler } from '../../src/transports/web-request.ts'

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
  let more = () => {}
  const streamed = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(new TextEncoder().encode('first'))
      more = () => {
        controller.enqueue(new TextEncoder().encode('second'))
        controller.close()
      }
    },
  })
  const url = await serve(async ({ method }) =>
    method === 'DELETE' ? new Response(null, { status: 405 }) : new Response(streamed),
  )
  expect(await fetch(url, { method: 'DELETE' })).toMatchObject({ status: 405 })
  const reader = (await fetch(url)).body?.pipeThrough(new TextDecoderStream()).getReader()
  expect((await reader?.read())?.value).toBe('first')
  more()
  expect((await reader?.read())?.value).toBe('second')
})

test('when the other side goes away, before the answer or in the middle of it, the signal aborts', async () => {
  for (const answers of [false, true]) {
    let begun = () => {}
    const begins = new Promise<void>((resolve) => (begun = resolve))
    const gone = new Promise<string>((resolve) => {
      void serve(async ({ signal }) => {
        signal.addEventListener('abort', () => resolve('gone'))
        begun()
        return answers ? new Response(new ReadableStream()) : new Promise(() => {})
      }).then(async (url) => {
        const leave = new AbortController()
        const asking = fetch(url, { signal: leave.signal }).catch(() => {})
        await (answers ? asking : begins)
        leave.abort()
      })
    })
    expect(await gone).toBe('gone')
  }
})
