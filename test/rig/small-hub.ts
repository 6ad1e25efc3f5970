/** As much of a hub as the remote engine speaks to: /rpc and /events over a socket. It can be cut off and begin again. */
import { once } from 'node:events'
import { rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import type { Identity } from '../../src/callers/permission.ts'
import type { Engine, Who } from '../../src/engine/engine.ts'
import { callVerb, UnknownVerb } from '../../src/engine/verbs.ts'
import { AppError } from '../../src/errors.ts'

export class SmallHub {
  readonly callers = new Map<string, Identity>()
  readonly #home: string
  #engine: Engine
  #server: Server | undefined
  #count = 0

  constructor(home: string, engine: Engine) {
    this.#home = home
    this.#engine = engine
  }

  async open(engine = this.#engine): Promise<void> {
    this.#engine = engine
    const socket = join(this.#home, `hub-${this.#count++}.sock`)
    const server = createServer((request, response) => void this.#serve(request, response))
    this.#server = server
    server.listen(socket)
    await once(server, 'listening')
    await writeFile(join(this.#home, 'hub.json'), JSON.stringify({ socket }))
  }

  /** Cuts every connection, as a crash does. What says where it was stays. */
  async crash(): Promise<void> {
    const closed = this.#server && once(this.#server, 'close')
    this.#server?.close()
    this.#server?.closeAllConnections()
    await closed
  }

  async close(): Promise<void> {
    await this.crash()
    await rm(join(this.#home, 'hub.json'), { force: true })
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const gone = new AbortController()
    response.on('close', () => gone.abort())
    const caller = this.callers.get(request.headers.authorization ?? '')
    if (!caller) return void response.writeHead(401).end()
    const who: Who = { caller, signal: gone.signal }
    const url = new URL(request.url ?? '', 'http://hub')
    if (url.pathname === '/rpc') return this.#rpc(who, request, response)
    return this.#events(who, Number(request.headers['last-event-id']), url.searchParams, response)
  }

  async #rpc(who: Who, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { id, method, params } = (await json(request)) as { id: number; method: string; params: unknown }
    const said = await callVerb(this.#engine, who, method, params).then(
      (result) => ({ result }),
      (error: unknown) => ({ error: rpcError(error) }),
    )
    response
      .setHeader('content-type', 'application/json')
      .end(JSON.stringify({ jsonrpc: '2.0', id, ...said }))
  }

  async #events(who: Who, after: number, query: URLSearchParams, response: ServerResponse): Promise<void> {
    const sessionId = query.get('session') ?? ''
    try {
      await this.#engine.getSession(who, { sessionId })
    } catch (error) {
      return void response.writeHead(404).end(JSON.stringify({ error: rpcError(error) }))
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
    for await (const { events, gap } of this.#engine.followEvents(who, { sessionId, after })) {
      if (gap) response.write(`event: gap\ndata: ${JSON.stringify(gap)}\n\n`)
      for (const stored of events) response.write(`id: ${stored.seq}\ndata: ${JSON.stringify(stored)}\n\n`)
    }
    response.end()
  }
}

function rpcError(error: unknown): object {
  if (!(error instanceof AppError)) return { code: -32603, message: String(error) }
  const code = error instanceof UnknownVerb ? -32601 : error.code === 'invalid_input' ? -32602 : -32000
  return { code, message: error.message, data: { code: error.code, ...error.data } }
}
