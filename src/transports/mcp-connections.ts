import { type Server, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server'
import type { Identity } from '../callers/permission.ts'
import type { Signer } from '../signed-text.ts'
import { connectionId, messagesOf, type Opening, openingFrom, openingIn } from './connection-id.ts'
import { type Mark, withEventIds, withRetry } from './event-ids.ts'
import { type KeptConnections, type LastingConnection, NOTHING_KEPT } from './lasting-connection.ts'
import { cutCallIn, eventIdOf, type LastingCall, type ToolCall, toolCallIn } from './resumable-call.ts'

/** Makes a server for a connection. */
export type MakeServer = (connection: LastingConnection) => Server

interface Connection {
  readonly key: string
  readonly callerId: string
  readonly server: Server
  readonly transport: WebStandardStreamableHTTPServerTransport
  readonly calls: Map<string | number, LastingCall>
  readonly listeners: (() => void)[]
  stream?: AbortSignal
  usedAt: number
}

export interface ConnectionsParts {
  /** With the same key in each hub of a home folder. */
  readonly signer: Signer
  readonly kept: KeptConnections
  readonly now?: () => number
}

/**
 * Connections of the protocols before 2026 over HTTP, which last from one message to the next: only so can a client's
 * person be asked, or a client be told of something new. The id of a connection says how it was begun: where it is not known
 * (any more: the hub is another, or others took its place) it is begun again by it, and its client sees no difference.
 */
export class McpConnections {
  readonly #open = new Map<string, Connection>()
  /** Those that are being begun again. */
  readonly #coming = new Map<string, Promise<Connection>>()
  readonly #signer: Signer
  readonly #kept: KeptConnections
  readonly #now: () => number

  constructor({ signer, kept, now = () => performance.now() }: ConnectionsParts) {
    this.#signer = signer
    this.#kept = kept
    this.#now = now
  }

  /** Undefined for what does not belong to a connection and begins none. */
  async answer(request: Request, caller: Identity, make: MakeServer): Promise<Response | undefined> {
    if ((request.headers.get('mcp-protocol-version') ?? '') >= '2026') return undefined
    const id = request.headers.get('mcp-session-id')
    if (id !== null) {
      const known = await this.#find(id, caller, make)
      return known ? this.#handle(request, id, known) : notFound()
    }
    const parsedBody = await shortBodyOf(request)
    const opening = openingFrom(parsedBody, caller.id)
    if (!opening) return undefined
    this.#endIdle()
    const connection = await this.#connect(opening, connectionId(this.#signer, opening), make, false)
    return connection.transport.handleRequest(request, { parsedBody })
  }

  /** Whoever has not begun it does not find it. */
  async #find(id: string, caller: Identity, make: MakeServer): Promise<Connection | undefined> {
    const opening = openingIn(this.#signer, id)
    if (!opening || opening.callerId !== caller.id || this.#kept.get(opening.key)?.ended) return undefined
    const known = this.#open.get(id)
    if (known) return known
    const coming = this.#coming.get(id) ?? this.#beginAgain(opening, id, make)
    this.#coming.set(id, coming)
    return coming
  }

  async #beginAgain(opening: Opening, id: string, make: MakeServer): Promise<Connection> {
    try {
      this.#endIdle()
      const connection = await this.#connect(opening, id, make, true)
      for (const parsedBody of messagesOf(opening)) {
        const response = await connection.transport.handleRequest(post(id), { parsedBody })
        await response.text() // the client has had it
      }
      return connection
    } finally {
      this.#coming.delete(id)
    }
  }

  async #connect(
    { key, callerId }: Opening,
    id: string,
    make: MakeServer,
    again: boolean,
  ): Promise<Connection> {
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => id,
      onsessioninitialized: () => this.#use(id, connection),
      onsessionclosed: async () => {
        this.#end(id)
        await this.#kept.put(key, { ...NOTHING_KEPT, ended: true })
      },
      keepAliveMs: 5_000,
      maxRequestBodySize: MAX_BODY,
    })
    const [calls, listeners] = [new Map<string | number, LastingCall>(), new Array<() => void>()]
    const kept = () => this.#kept.get(key) ?? NOTHING_KEPT
    const server = make({
      again,
      stream: () => streamOf(connection),
      onStream: (listener) => listeners.push(listener),
      kept,
      keep: (change) => this.#kept.put(key, { ...kept(), ...change }),
      call: (requestId) => calls.get(requestId),
    })
    const connection: Connection = { key, callerId, server, transport, calls, listeners, usedAt: this.#now() }
    await server.connect(transport)
    return connection
  }

  async #handle(request: Request, id: string, connection: Connection): Promise<Response> {
    this.#use(id, connection)
    if (request.method === 'POST') return this.#post(request, connection)
    const lastEventId = request.headers.get('last-event-id')
    if (request.method === 'GET' && lastEventId !== null) {
      const cut = cutCallIn(this.#signer, lastEventId, connection.key)
      return cut ? this.#call(connection, post(id, request), cut.message, cut) : noSuchEvent()
    }
    const response = await connection.transport.handleRequest(request)
    if (request.method !== 'GET' || !response.ok || !response.body) return response
    connection.stream = request.signal
    for (const listener of connection.listeners) listener()
    return new Response(withRetry(response.body), response)
  }

  async #post(request: Request, connection: Connection): Promise<Response> {
    if ((request.headers.get('mcp-protocol-version') ?? '') < RESUMES_SINCE)
      return connection.transport.handleRequest(request)
    const parsedBody: unknown = await request
      .clone()
      .json()
      .catch(() => undefined)
    const message = toolCallIn(parsedBody)
    if (message) return this.#call(connection, request, message)
    return connection.transport.handleRequest(request, parsedBody === undefined ? {} : { parsedBody })
  }

  /** A call whose answer can be asked for again: of this hub or of the next. */
  async #call(
    { key, transport, calls }: Connection,
    request: Request,
    message: ToolCall,
    cut?: { readonly sessionId?: string | undefined },
  ): Promise<Response> {
    let sessionId = cut?.sessionId
    let mark: Mark | undefined
    const call: LastingCall = {
      goesOn: cut !== undefined,
      sessionId,
      begun: (begun) => {
        sessionId = begun
        mark?.()
      },
    }
    const onEnd = () => {
      mark = undefined
      if (calls.get(message.id) === call) calls.delete(message.id)
    }
    calls.set(message.id, call)
    const response = await transport.handleRequest(request, { parsedBody: message })
    if (!response.ok || !response.body) {
      onEnd()
      return response
    }
    const eventId = () => eventIdOf(this.#signer, { connection: key, message, sessionId })
    const stream = withEventIds(response.body, eventId, { onMark: (made) => (mark = made), onEnd })
    return new Response(stream, response)
  }

  /** Most clients go without a word. */
  #endIdle(): void {
    for (const [id, connection] of this.#open)
      if (this.#now() - connection.usedAt > IDLE_MS && !streamOf(connection)) this.#end(id)
  }

  /** The last used stay open. */
  #use(id: string, connection: Connection): void {
    connection.usedAt = this.#now()
    this.#open.delete(id)
    this.#open.set(id, connection)
    const [oldest] = this.#open.keys()
    if (this.#open.size > MOST && oldest !== undefined) this.#end(oldest)
  }

  #end(id: string): void {
    const connection = this.#open.get(id)
    this.#open.delete(id)
    void connection?.server.close().catch(() => {})
  }
}

/** What the client holds open to be told things by, if it does. */
function streamOf({ stream }: Connection): AbortSignal | undefined {
  return stream?.aborted ? undefined : stream
}

/** A message as its client would send it; in place of another request, until that one is over. */
function post(id: string, instead?: Request): Request {
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-session-id': id,
  }
  return new Request('http://127.0.0.1/mcp', {
    method: 'POST',
    headers,
    ...(instead ? { signal: instead.signal } : {}),
  })
}

function notFound(): Response {
  const message = 'There is no such connection here, or it was ended; begin a new one with initialize.'
  return Response.json({ jsonrpc: '2.0', error: { code: -32001, message }, id: null }, { status: 404 })
}

function noSuchEvent(): Response {
  const message = 'Last-Event-ID is no event of this connection; make the call again.'
  return Response.json({ jsonrpc: '2.0', error: { code: -32000, message }, id: null }, { status: 400 })
}

/** The body of what may begin a connection; the newest protocol has nothing like it. */
async function shortBodyOf(request: Request): Promise<unknown> {
  const length = Number(request.headers.get('content-length') ?? Number.NaN)
  if (request.method !== 'POST' || !(length <= MAX_INITIALIZE)) return undefined
  return request
    .clone()
    .json()
    .catch(() => undefined)
}

/** Older ones take an event without data for a message. */
const RESUMES_SINCE = '2025-11-25'
const MOST = 200
const IDLE_MS = 30 * 60_000
const MAX_INITIALIZE = 64 << 10
export const MAX_BODY = 16 << 20
