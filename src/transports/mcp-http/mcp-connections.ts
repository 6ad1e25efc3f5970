import { type Server, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server'
import { MAX_MESSAGE_BYTES } from '../../base/limits.ts'
import { RecentMap } from '../../base/recent-map.ts'
import type { Caller } from '../../callers/access-rules.ts'
import type { Signer } from '../../text/signed-text.ts'
import {
  connectionId,
  openingMessages,
  type Opening,
  openingFrom,
  parseConnectionId,
} from './connection-id.ts'
import { notFound, noSuchEvent, post, shortBodyOf } from './connection-requests.ts'
import { withRetry } from './event-ids.ts'
import { LastingCalls } from './lasting-calls.ts'
import { type ConnectionStore, type LastingConnection, EMPTY_CONNECTION } from '../lasting-connection.ts'
import { toolCallIn } from '../mcp/resumable-call.ts'

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
  /** Has the same key in every hub of a home folder. */
  readonly signer: Signer
  readonly kept: ConnectionStore
  readonly now?: () => number
}

/**
 * Connections over HTTP of the protocols before 2026, which outlast one message: only so can the person at the client be
 * asked, or the client get updates. The id of a connection contains how it was opened. If a connection is not known here
 * (the hub was restarted, or it was dropped for others), it is restored from its id, and the client sees no difference.
 */
export class McpConnections {
  readonly #open = new RecentMap<string, Connection>(MAX_CONNECTIONS, endConnection)
  /** The connections that are being restored. */
  readonly #restoring = new Map<string, Promise<Connection>>()
  readonly #signer: Signer
  readonly #kept: ConnectionStore
  readonly #now: () => number

  constructor({ signer, kept, now = () => performance.now() }: ConnectionsParts) {
    this.#signer = signer
    this.#kept = kept
    this.#now = now
  }

  /** Undefined for a request that neither belongs to a connection nor opens one. */
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

  /** Only the caller that opened a connection finds it. */
  async #find(id: string, caller: Caller, make: MakeServer): Promise<Connection | undefined> {
    const opening = parseConnectionId(this.#signer, id)
    if (!opening || opening.callerId !== caller.id || this.#kept.get(opening.key)?.ended) return undefined
    const known = this.#open.get(id)
    if (known) return known
    const restoring = this.#restoring.get(id) ?? this.#restore(opening, id, make)
    this.#restoring.set(id, restoring)
    return restoring
  }

  async #restore(opening: Opening, id: string, make: MakeServer): Promise<Connection> {
    try {
      this.#endIdle()
      const connection = await this.#connect(opening, id, make, true)
      for (const parsedBody of openingMessages(opening)) {
        const response = await connection.transport.handleRequest(post(id), { parsedBody })
        await response.text() // the client already has this response
      }
      return connection
    } finally {
      this.#restoring.delete(id)
    }
  }

  async #connect({ key }: Opening, id: string, make: MakeServer, isRestored: boolean): Promise<Connection> {
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => id,
      onsessioninitialized: () => this.#use(id, connection),
      onsessionclosed: async () => {
        this.#end(id, connection)
        await this.#kept.put(key, { ...EMPTY_CONNECTION, ended: true })
      },
      keepAliveMs: 5_000,
      maxRequestBodySize: MAX_MESSAGE_BYTES,
    })
    const calls = new LastingCalls({ signer: this.#signer, connection: key, transport })
    const listeners: (() => void)[] = []
    const kept = () => this.#kept.get(key) ?? EMPTY_CONNECTION
    const server = make({
      isRestored,
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
    // Only the stream for updates has a body.
    if (!response.ok || !response.body) return response
    connection.stream = request.signal
    for (const listener of connection.listeners) listener()
    return new Response(withRetry(response.body), response)
  }

  /** Most clients leave without ending their connection. */
  #endIdle(): void {
    for (const [id, connection] of this.#open)
      if (this.#now() - connection.usedAt > IDLE_MS && !streamOf(connection)) this.#end(id, connection)
  }

  /** Keeps the most recently used connections. */
  #use(id: string, connection: Connection): void {
    connection.usedAt = this.#now()
    this.#open.set(id, connection)
  }

  #end(id: string, connection: Connection): void {
    this.#open.delete(id)
    endConnection(connection)
  }
}

function endConnection({ server }: Connection): void {
  void server.close().catch(() => {})
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
  return transport.handleRequest(request, { parsedBody })
}

/** The stream for updates, if the client holds it open. */
function streamOf({ stream }: Connection): AbortSignal | undefined {
  return stream?.aborted ? undefined : stream
}

/** Clients of older protocols take an event without data for a message. */
const RESUMES_SINCE = '2025-11-25'
const MAX_CONNECTIONS = 200
const IDLE_MS = 30 * 60_000
