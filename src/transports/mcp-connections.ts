import { type Server, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server'
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { Identity } from '../callers/permission.ts'

/** Makes a server for a connection; `stream` is where messages of its own go, for as long as the client holds it open. */
export type MakeServer = (stream: () => AbortSignal | undefined) => Server

interface Connection {
  readonly callerId: string
  readonly server: Server
  readonly transport: WebStandardStreamableHTTPServerTransport
  stream?: AbortSignal
  usedAt: number
}

/**
 * Connections of the protocols before 2026 over HTTP, which last from one message to the next: only so can a client's
 * person be asked, or a client be told of something new. One that is not known here (any more: the hub is another, or others
 * took its place) is no error: its messages are answered each on its own, by whoever called this. Only to one that its client
 * has ended there is no way back, as the protocol has it.
 */
export class McpConnections {
  readonly #open = new Map<string, Connection>()
  /** Whose it was, by the id of each that its client has ended. */
  readonly #ended = new Map<string, string>()
  readonly #now: () => number

  constructor(now = () => performance.now()) {
    this.#now = now
  }

  /** Undefined for what does not belong to a connection and begins none. */
  async answer(request: Request, caller: Identity, make: MakeServer): Promise<Response | undefined> {
    const id = request.headers.get('mcp-session-id')
    const known = id === null ? undefined : this.#open.get(id)
    if (id !== null && known?.callerId === caller.id) return this.#handle(request, id, known)
    if (id !== null && this.#ended.get(id) === caller.id) return over()
    const parsedBody = await initializeOf(request)
    if (parsedBody === undefined) return undefined
    this.#endIdle()
    const connection = await this.#begin(caller, make)
    return connection.transport.handleRequest(request, { parsedBody })
  }

  async #begin({ id: callerId }: Identity, make: MakeServer): Promise<Connection> {
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => this.#keep(id, connection),
      onsessionclosed: (id) => this.#endForGood(id, callerId),
      keepAliveMs: 5_000,
      maxRequestBodySize: MAX_BODY,
    })
    const server = make(() => streamOf(connection))
    const connection: Connection = { callerId, server, transport, usedAt: this.#now() }
    await server.connect(transport)
    return connection
  }

  async #handle(request: Request, id: string, connection: Connection): Promise<Response> {
    this.#keep(id, connection)
    const response = await connection.transport.handleRequest(request)
    if (request.method === 'GET' && response.ok) connection.stream = request.signal
    return response
  }

  /** Most clients go without a word. */
  #endIdle(): void {
    for (const [id, connection] of this.#open)
      if (this.#now() - connection.usedAt > IDLE_MS && !streamOf(connection)) this.#end(id)
  }

  /** The last used are kept. */
  #keep(id: string, connection: Connection): void {
    connection.usedAt = this.#now()
    this.#open.delete(id)
    this.#open.set(id, connection)
    const oldest = tooMany(this.#open)
    if (oldest !== undefined) this.#end(oldest)
  }

  #endForGood(id: string, callerId: string): void {
    this.#end(id)
    this.#ended.set(id, callerId)
    const oldest = tooMany(this.#ended)
    if (oldest !== undefined) this.#ended.delete(oldest)
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

/** The id to be given up so that there are not too many. */
function tooMany(held: ReadonlyMap<string, unknown>): string | undefined {
  const [oldest] = held.keys()
  return held.size > MOST ? oldest : undefined
}

function over(): Response {
  const error = { code: -32001, message: 'This connection was ended; begin a new one with initialize.' }
  return Response.json({ jsonrpc: '2.0', error, id: null }, { status: 404 })
}

const Initialize = z.looseObject({ method: z.literal('initialize'), id: z.union([z.string(), z.number()]) })

/** The message that begins a connection; the newest protocol has none. */
async function initializeOf(request: Request): Promise<unknown> {
  const { method, headers } = request
  const version = headers.get('mcp-protocol-version') ?? ''
  if (method !== 'POST' || headers.has('mcp-session-id') || version >= '2026') return undefined
  const length = Number(headers.get('content-length') ?? Number.NaN)
  if (!(length <= MAX_INITIALIZE)) return undefined
  const body: unknown = await request
    .clone()
    .json()
    .catch(() => undefined)
  return Initialize.safeParse(body).success ? body : undefined
}

const MOST = 200
const IDLE_MS = 30 * 60_000
const MAX_INITIALIZE = 64 << 10
export const MAX_BODY = 16 << 20
