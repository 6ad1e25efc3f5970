import type { IncomingMessage, ServerResponse } from 'node:http'

const HEADERS = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }

export function reply(
  response: ServerResponse,
  status: number,
  body: string,
  headers: Readonly<Record<string, string>>,
): void {
  response.writeHead(status, { ...HEADERS, 'content-length': String(Buffer.byteLength(body)), ...headers })
  response.end(body) // for HEAD, node:http leaves the body out
}

export function replyJson(response: ServerResponse, status: number, body: unknown): void {
  reply(response, status, JSON.stringify(body), { 'content-type': 'application/json' })
}

/**
 * Refuses a request whose body may still be on its way, and closes the connection. The client gets a moment to finish
 * sending first: otherwise it would see a broken connection instead of the response.
 */
export function refuse(
  request: IncomingMessage,
  response: ServerResponse,
  { status, body, headers = {} }: { status: number; body: unknown; headers?: Record<string, string> },
): void {
  if (request.complete || !hasBody(request)) {
    response.setHeader('connection', 'close')
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
    replyJson(response, status, body)
    return
  }
  const text = JSON.stringify(body)
  const length = String(Buffer.byteLength(text))
  response.writeHead(status, {
    ...HEADERS,
    'content-type': 'application/json',
    'content-length': length,
    connection: 'close',
    ...headers,
  })
  response.write(text)
  const end = () => {
    clearTimeout(limit)
    response.end()
  }
  const limit = setTimeout(end, LINGER_MS)
  request.once('end', end).once('close', end).resume()
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

const LINGER_MS = 1_000

/** The parts of a response that refuses, with the one shape of errors. */
export function refusal(status: number, code: string, message: string) {
  return { status, body: { error: { code, message } } }
}
