import { chmodSync, lstatSync, rmSync } from 'node:fs'
import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http'
import type { Socket } from 'node:net'
import { ONLOOKER } from '../../hub-client/hub-address.ts'
import { AppError } from '../../base/errors.ts'
import { listening } from './free-port.ts'
import { Pipelines } from './pipelined-requests.ts'
import { FewPerTick } from './few-requests-per-tick.ts'

/** Where a request came in. The signal aborts when the client has disconnected, or the hub is closing. */
export interface Arrival {
  /** Undefined on the unix socket. */
  readonly port: number | undefined
  readonly signal: AbortSignal
  /** Called when the request has a valid token. */
  readonly noteToken: () => void
}

export type Handler = (request: IncomingMessage, response: ServerResponse, arrival: Arrival) => Promise<void>

/** Nobody needs more, and a client that sends its request byte by byte cannot hold a connection for ever. */
const LIMITS = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 5_000,
  requestTimeout: 15_000,
  connectionsCheckingInterval: 1_000,
}
/** Clients of ours on the socket call again after some time: a connection that is kept costs them nothing. */
const KEPT_MS = 60_000
/** Made once: a reason of its own for every request would be an error with a stack. */
const OVER = new Error('The request is over.')
const MAX_CONNECTIONS = 512
/** Connections on the port without a valid token so far. With one more, the oldest of them is closed. */
const MAX_STRANGERS = 256
/** A path to a socket has to fit into 104 bytes on macOS, 108 on Linux. */
const MAX_SOCKET_PATH = 103

export function requireSocketPath(socket: string): void {
  if (Buffer.byteLength(socket) <= MAX_SOCKET_PATH) return
  throw new AppError(
    'invalid_input',
    `${socket} is too long a path for a socket; choose a shorter home folder.`,
  )
}

/** 127.0.0.1 for browsers and HTTP clients, a socket in the home folder for everyone else. Nothing else is listened on. */
export class Listener {
  readonly #servers: Server[] = []
  readonly #closing = new AbortController()
  readonly #onlookers = new Set<Socket>()
  readonly #underWay = new Set<AbortController>()
  /** Connections on the port without a valid token so far, oldest first. */
  readonly #strangers = new Set<Socket>()
  readonly #pipelines = new Pipelines()
  readonly #turns = new FewPerTick()
  #handler: Handler | undefined
  #ready: (handler: Handler) => void = () => {}
  readonly #whenReady = new Promise<Handler>((resolve) => (this.#ready = resolve))
  port = 0
  /** Until it is set, a health check says that the hub is not ready; then it waits like everything else. */
  isReady = false

  private constructor() {}

  /** Until `answerWith` is called, every request waits, except the health check. */
  static async open({ port, socket }: { port: number; socket: string }): Promise<Listener> {
    requireSocketPath(socket)
    const listener = new Listener()
    try {
      const tcp = listener.#server(LIMITS, () => listener.port)
      tcp.maxConnections = MAX_CONNECTIONS + MAX_STRANGERS
      tcp.on('connection', (stranger: Socket) => listener.#noteStranger(stranger))
      await listening(tcp, () => tcp.listen(port, '127.0.0.1'), `Port ${port} of 127.0.0.1`)
      const address = tcp.address()
      listener.port = typeof address === 'object' ? (address?.port ?? 0) : 0
      // Left by a hub that crashed; we hold the lock, so it is ours to remove.
      if (lstatSync(socket, { throwIfNoEntry: false })) rmSync(socket, { force: true })
      const unix = listener.#server({ ...LIMITS, keepAliveTimeout: KEPT_MS }, () => undefined)
      await listening(unix, () => unix.listen(socket), socket)
      chmodSync(socket, 0o600)
    } catch (error) {
      await listener.close(0)
      throw error
    }
    return listener
  }

  answerWith(handler: Handler): void {
    this.#handler = handler
    this.#ready(handler)
  }

  get isAnswering(): boolean {
    return this.#handler !== undefined
  }

  /** Aborts when the hub starts to close. */
  get closing(): AbortSignal {
    return this.#closing.signal
  }

  /** The number of connections that may need the hub; onlookers are not counted. */
  async connections(): Promise<number> {
    const counts = this.#servers.map(
      (server) =>
        new Promise<number>((resolve) => {
          server.getConnections((_, count) => resolve(count ?? 0))
        }),
    )
    return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0) - this.#onlookers.size
  }

  /** Accepts no more requests, ends all waits, and gives open requests this long to be answered. */
  async close(graceMs: number): Promise<void> {
    this.#closing.abort()
    this.#ready(notNow)
    for (const request of this.#underWay) request.abort(OVER)
    const cut = setTimeout(() => this.#servers.forEach((server) => server.closeAllConnections()), graceMs)
    await Promise.all(this.#servers.map((server) => new Promise((resolve) => void server.close(resolve))))
    clearTimeout(cut)
  }

  /** Any user of the machine can connect; that must not shut out clients with a token. */
  #noteStranger(socket: Socket): void {
    this.#strangers.add(socket)
    socket.once('close', () => this.#strangers.delete(socket))
    const [oldest] = this.#strangers
    if (!oldest || this.#strangers.size <= MAX_STRANGERS) return
    this.#strangers.delete(oldest)
    oldest.destroy()
  }

  #noteOnlooker(socket: Socket): void {
    if (this.#onlookers.has(socket)) return
    this.#onlookers.add(socket)
    socket.once('close', () => this.#onlookers.delete(socket))
  }

  /** Requests that come while the hub starts wait for it: many clients give up after an error, but not after a pause. */
  async #answer(request: IncomingMessage, response: ServerResponse, arrival: Arrival): Promise<void> {
    if (this.#closing.signal.aborted) return notNow(request, response, arrival)
    const isStarting = isHealthCheck(request) && !this.isReady
    const isNow = this.#handler ?? (isStarting ? notNow : await this.#whenReady)
    if (!arrival.signal.aborted || this.#closing.signal.aborted) await isNow(request, response, arrival)
  }

  #server(limits: ServerOptions, port: () => number | undefined): Server {
    const answer = (request: IncomingMessage, response: ServerResponse, answered: () => void) => {
      const over = new AbortController()
      this.#underWay.add(over)
      response.once('close', () => {
        this.#underWay.delete(over)
        over.abort(OVER)
        answered()
        // The hub is closing: without this the connection would stay open for another request.
        if (this.#closing.signal.aborted) setImmediate(() => server.closeIdleConnections())
      })
      request.on('error', () => {}) // the response reports the end
      if (request.headers[ONLOOKER] !== undefined) this.#noteOnlooker(request.socket)
      const noteToken = () => void this.#strangers.delete(request.socket)
      const arrival = { port: port(), signal: over.signal, noteToken }
      void this.#answer(request, response, arrival).catch(() => response.destroy())
    }
    const inTurn = (request: IncomingMessage, response: ServerResponse) =>
      this.#pipelines.take(request.socket, (over) => this.#turns.take(() => answer(request, response, over)))
    const server = createServer(limits, inTurn).on('checkContinue', inTurn)
    server.maxHeadersCount = 0 // a limit would silently drop later headers, also an Origin; the size limit is enough
    server.maxConnections = MAX_CONNECTIONS
    this.#servers.push(server)
    return server
  }
}

function isHealthCheck({ url }: IncomingMessage): boolean {
  return url?.split('?')[0] === '/healthz'
}

/**
 * The hub is not ready yet, or closing. A stream is closed without a response, because after an error an EventSource
 * never tries again. Our own clients, on the socket, know what a 503 means.
 */
async function notNow(request: IncomingMessage, response: ServerResponse, { port }: Arrival): Promise<void> {
  if (request.method === 'GET' && port !== undefined && !isHealthCheck(request)) {
    response.destroy()
    return
  }
  response.writeHead(503, { connection: 'close', 'retry-after': '1' }).end()
}
