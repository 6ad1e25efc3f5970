import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** A handler of the Fetch API; the signal of its request aborts when the client disconnects. */
export type WebHandler = (request: Request) => Promise<Response>

/** Runs such a handler for a request of node:http. `body` is the body if it was read already; else it is streamed. */
export async function serveWeb(
  request: IncomingMessage,
  response: ServerResponse,
  handler: WebHandler,
  body?: string,
): Promise<void> {
  const gone = new AbortController()
  response.on('close', () => gone.abort())
  const answer = await handler(webRequest(request, gone.signal, body))
  response.writeHead(answer.status, Object.fromEntries(answer.headers))
  response.flushHeaders()
  if (!answer.body) return void response.end()
  // The client may disconnect at any time; the signal informs the handler.
  await pipeline(Readable.fromWeb(answer.body), response).catch(() => response.destroy())
}

function webRequest(request: IncomingMessage, signal: AbortSignal, read: string | undefined): Request {
  const { method = 'GET', headersDistinct, url = '/' } = request
  const headers = new Headers()
  for (const [name, values = []] of Object.entries(headersDistinct))
    for (const value of values) headers.append(name, value)
  const bodyless = method === 'GET' || method === 'HEAD'
  const body = bodyless ? {} : { body: read ?? Readable.toWeb(request), duplex: 'half' as const }
  return new Request(new URL(url, 'http://127.0.0.1'), { method, headers, signal, ...body })
}
