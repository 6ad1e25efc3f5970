import { type Server, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server'
import type { Caller } from '../../callers/access-rules.ts'
import type { Signer } from '../../text/signed-text.ts'
import { connectionId, messagesOf, type Opening, openingFrom, openingIn } from './connection-id.ts'
import { notFound, noSuchEvent, post, shortBodyOf } from './connection-requests.ts'
import { withRetry } from './event-ids.ts'
import { LastingCalls } from './lasting-calls.ts'
import { type KeptConnections, type LastingConnection, NOTHING_KEPT } from '../lasting-connection.ts'
import { toolCallIn } from '../mcp/resumable-call.ts'

/** Makes a server for a connection. */
export type MakeServer = (connection: LastingConnection) => Server

interface Connection {
  readonly server: Server
  readonly transport: WebStandardStreamableHTTPServerTransport
  readonly calls: LastingCalls
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
 * person be asked, or a client hear of something new. The id of a connection says how it was begun: where it is not known
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
  async answer(request: Request, caller: Caller, make: MakeServer): Promise<Response | undefined> {
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
  async #find(id: string, caller: Caller, make: MakeServer): Promise<Connection | undefined> {
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

  async #connect({ key }: Opening, id: string, make: MakeServer, again: boolean): Promise<Connection> {
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
    const calls = new LastingCalls({ signer: this.#signer, connection: key, transport })
    const listeners: (() => void)[] = []
    const kept = () => this.#kept.get(key) ?? NOTHING_KEPT
    const server = make({
      again,
      stream: () => streamOf(connection),
      onStream: (listener) => listeners.push(listener),
      kept,
      keep: (change) => this.#kept.put(key, { ...kept(), ...change }),
      call: (requestId) => calls.get(requestId),
    })
    const connection: Connection = { server, transport, calls, listeners, usedAt: this.#now() }
    await server.connect(transport)
    return connection
  }

  async #handle(request: Request, id: string, connection: Connection): Promise<Response> {
    this.#use(id, connection)
    if (request.method === 'POST') return answerPost(request, connection)
    const lastEventId = request.headers.get('last-event-id')
    if (request.method === 'GET' && lastEventId !== null) {
      const cut = connection.calls.cutAt(lastEventId)
      return cut ? connection.calls.answer(post(id, request), cut.message, cut) : noSuchEvent()
    }
    const response = await connection.transport.handleRequest(request)
    if (request.method !== 'GET' || !response.ok || !response.body) return response
    connection.stream = request.signal
    for (const listener of connection.listeners) listener()
    return new Response(withRetry(response.body), response)
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

async function answerPost(request: Request, { transport, calls }: Connection): Promise<Response> {
  if ((request.headers.get('mcp-protocol-version') ?? '') < RESUMES_SINCE)
    return transport.handleRequest(request)
  const parsedBody: unknown = await request
    .clone()
    .json()
    .catch(() => undefined)
  const message = toolCallIn(parsedBody)
  if (message) return calls.answer(request, message)
  return transport.handleRequest(request, parsedBody === undefined ? {} : { parsedBody })
}

/** What the client holds open to hear news by, if it does. */
function streamOf({ stream }: Connection): AbortSignal | undefined {
  return stream?.aborted ? undefined : stream
}

/** Older ones take an event without data for a message. */
const RESUMES_SINCE = '2025-11-25'
const MOST = 200
const IDLE_MS = 30 * 60_000
export const MAX_BODY = 16 << 20
