import { chmod, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { ONLOOKER } from '../../hub-client/hub-address.ts'
import { AppError } from '../../base/errors.ts'
import { listening } from './free-port.ts'
import { Pipelines } from './pipelined-requests.ts'
import { Turns } from './one-per-tick.ts'

/** Where a request came in, and when it is over: its client has gone, or the hub is about to. */
export interface Arrival {
  /** None on the unix socket. */
  readonly port: number | undefined
  readonly signal: AbortSignal
  /** Whoever sent it has shown a token that counts. */
  readonly noteToken: () => void
}

export type Handler = (request: IncomingMessage, response: ServerResponse, arrival: Arrival) => Promise<void>

/** Nobody needs more, and a client that sends its head or body drop by drop does not hold a connection for ever. */
const LIMITS = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 5_000,
  requestTimeout: 15_000,
  connectionsCheckingInterval: 1_000,
}
const MAX_CONNECTIONS = 512
/** Of those on the port who have shown no token yet. One more, and the one that has been silent longest goes. */
const MAX_STRANGERS = 256
/** A path to a socket has to fit into 104 bytes on macOS, 108 on Linux. */
const MAX_SOCKET_PATH = 103

/** 127.0.0.1 for browsers and HTTP clients, a socket in the home folder for everyone else. Nothing else is listened on. */
export class Listener {
  readonly #servers: Server[] = []
  readonly #closing = new AbortController()
  readonly #onlookers = new Set<Socket>()
  readonly #underWay = new Set<AbortController>()
  /** On the port, without a token so far, oldest first. */
  readonly #strangers = new Set<Socket>()
  readonly #pipelines = new Pipelines()
  readonly #turns = new Turns()
  #handler: Handler | undefined
  #ready: (handler: Handler) => void = () => {}
  readonly #whenReady = new Promise<Handler>((resolve) => (this.#ready = resolve))
  port = 0

  private constructor() {}

  /** Until `answerWith` is called, everything waits but the question whether it is ready. */
  static async open({ port, socket }: { port: number; socket: string }): Promise<Listener> {
    if (Buffer.byteLength(socket) > MAX_SOCKET_PATH)
      throw new AppError(
        'invalid_input',
        `${socket} is too long a path for a socket; choose a shorter home folder.`,
      )
    const listener = new Listener()
    try {
      const tcp = listener.#server(() => listener.port)
      tcp.maxConnections = MAX_CONNECTIONS + MAX_STRANGERS
      tcp.on('connection', (stranger: Socket) => listener.#noteStranger(stranger))
      await listening(tcp, () => tcp.listen(port, '127.0.0.1'), `Port ${port} of 127.0.0.1`)
      const address = tcp.address()
      listener.port = typeof address === 'object' ? (address?.port ?? 0) : 0
      await rm(socket, { force: true }) // of a hub that crashed: whoever holds the lock may
      const unix = listener.#server(() => undefined)
      await listening(unix, () => unix.listen(socket), socket)
      await chmod(socket, 0o600)
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

  /** Aborts when it is about to close. */
  get closing(): AbortSignal {
    return this.#closing.signal
  }

  /** Of those who may need something: who only looks on is not counted. */
  async connections(): Promise<number> {
    const counts = this.#servers.map(
      (server) =>
        new Promise<number>((resolve) => {
          server.getConnections((_, count) => resolve(count ?? 0))
        }),
    )
    return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0) - this.#onlookers.size
  }

  /** Takes no more, ends all waiting, and gives what is under way this long to be answered. */
  async close(graceMs: number): Promise<void> {
    this.#closing.abort()
    this.#ready(notNow)
    for (const request of this.#underWay) request.abort()
    const cut = setTimeout(() => this.#servers.forEach((server) => server.closeAllConnections()), graceMs)
    await Promise.all(this.#servers.map((server) => new Promise((resolve) => void server.close(resolve))))
    clearTimeout(cut)
  }

  /** Anybody on the machine can connect; that must not keep out who has a token. */
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

  /** What comes while the hub starts waits for it: to many a client an error is the end, and a silence is not. */
  async #answer(request: IncomingMessage, response: ServerResponse, arrival: Arrival): Promise<void> {
    if (this.#closing.signal.aborted) return notNow(request, response, arrival)
    const isNow = this.#handler ?? (isHealthCheck(request) ? notNow : await this.#whenReady)
    if (!arrival.signal.aborted || this.#closing.signal.aborted) await isNow(request, response, arrival)
  }

  #server(port: () => number | undefined): Server {
    const answer = (request: IncomingMessage, response: ServerResponse, answered: () => void) => {
      const over = new AbortController()
      this.#underWay.add(over)
      response.once('close', () => {
        this.#underWay.delete(over)
        over.abort()
        answered()
        // Answered while the hub is about to go: the connection would stay for a next request.
        if (this.#closing.signal.aborted) setImmediate(() => server.closeIdleConnections())
      })
      request.on('error', () => {}) // its end is told by the response
      if (request.headers[ONLOOKER] !== undefined) this.#noteOnlooker(request.socket)
      const noteToken = () => void this.#strangers.delete(request.socket)
      const arrival = { port: port(), signal: over.signal, noteToken }
      void this.#answer(request, response, arrival).catch(() => response.destroy())
    }
    const inTurn = (request: IncomingMessage, response: ServerResponse) =>
      this.#pipelines.take(request.socket, (over) => this.#turns.take(() => answer(request, response, over)))
    const server = createServer(LIMITS, inTurn).on('checkContinue', inTurn)
    server.maxHeadersCount = 0 // a limit would drop those behind it unseen, an Origin too; the size is limit enough
    server.maxConnections = MAX_CONNECTIONS
    this.#servers.push(server)
    return server
  }
}

function isHealthCheck({ url }: IncomingMessage): boolean {
  return url?.split('?')[0] === '/healthz'
}

/**
 * The hub is not ready yet, or about to go. A stream is not opened, without a word: after an error an EventSource
 * never tries again. Clients of ours, on the socket, know what it means.
 */
async function notNow(request: IncomingMessage, response: ServerResponse, { port }: Arrival): Promise<void> {
  if (request.method === 'GET' && port !== undefined && !isHealthCheck(request)) {
    response.destroy()
    return
  }
  response.writeHead(503, { connection: 'close', 'retry-after': '1' }).end()
}
