/** The paths of a hub over TCP or as on its socket, with parts that a test gives; nothing behind them is started. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type Server } from 'node:http'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import type { Caller } from '../../../src/callers/access-rules.ts'
import { createLog } from '../../../src/base/log.ts'
import { type HttpParts, httpHandler } from '../../../src/transports/routes/http-handler.ts'

interface Asked {
  readonly method?: string
  /** Whose token it carries; none by default. */
  readonly as?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

interface Replied {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

export interface RoutesServer {
  /** Rejects when the connection is cut off. */
  readonly ask: (path: string, asked?: Asked) => Promise<Replied>
  /** What a hub does that is about to go: it ends its waits. */
  readonly endWaits: () => void
}

/** `callers` by their tokens. */
export async function routesServer(
  callers: Readonly<Record<string, Caller>>,
  parts: Partial<HttpParts>,
  { onSocket = false } = {},
): Promise<RoutesServer> {
  const handle = httpHandler({
    engine: {} as HttpParts['engine'],
    log: createLog('error', () => {}),
    onRefused: () => {},
    identify: async (token, claim) => {
      const caller = callers[token]
      return caller && { ...caller, ...(claim.model ? { person: false } : {}) }
    },
    metrics: async () => 'metrics',
    mcp: async () => new Response('mcp'),
    page: () => undefined,
    ...parts,
  })
  const waits = new AbortController()
  const server: Server = createServer((incoming, response) => {
    const { port } = server.address() as { port: number }
    const arrival = { port: onSocket ? undefined : port, noteToken: () => {}, signal: waits.signal }
    void handle(incoming, response, arrival)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as { port: number }
  const ask = async (path: string, { method = 'GET', as, headers = {}, body }: Asked = {}) => {
    const json = body === undefined ? {} : { 'content-type': 'application/json' }
    const token = as === undefined ? {} : { authorization: `Bearer ${as}` }
    const sent = request({ port, path, method, agent: false, headers: { ...json, ...token, ...headers } })
    sent.end(body)
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    return { status: response.statusCode ?? 0, headers: response.headers, body: await text(response) }
  }
  return { ask, endWaits: () => waits.abort() }
}
