import {
  Agent,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request,
  type RequestOptions,
} from 'node:http'
import type { FollowAll } from '../engine/follow-all.ts'
import { feedQuery } from '../events/feed-query.ts'
import type { SessionKey } from '../base/ids.ts'
import type { CallEvent, OperationCall } from '../api/operation/operation-call.ts'
import { isErrno } from '../base/errno.ts'
import { AppError } from '../base/errors.ts'
import { parseJson } from '../text/json-text.ts'
import { type HubAddress, NoHub, ONLOOKER, requireOwnSocket } from './hub-address.ts'
import {
  type HubAnswer,
  answerIn,
  HubLost,
  isNotNow,
  refusal,
  resultIn,
  textOf,
  UnknownToken,
} from './hub-responses.ts'

/** How to find a hub, and optionally start one. */
export interface HubFinder {
  /** Called before each new connection, so that the next hub is found after a restart. */
  readonly find: () => Promise<HubAddress>
  /** Makes sure that there is a hub; `find` is called again after it. Without `start`, a missing hub is an error. */
  readonly start?: (() => Promise<void>) | undefined
  /** For a client that only watches: a hub does not keep running for it. */
  readonly onlooks?: boolean | undefined
  /** Called when a request was sent: what does not need its answer can be done meanwhile. */
  readonly onSent?: (() => void) | undefined
  /** Called after each request with whether a hub answered it. */
  readonly onPresence?: ((isThere: boolean) => void) | undefined
}

export interface CallOptions {
  /** The claim about the caller. */
  readonly headers: Readonly<Record<string, string>>
  readonly signal?: AbortSignal | undefined
  /** Whether a hub may be started for this call, if there is none. */
  readonly mayStart?: boolean | undefined
}

export interface OperationOptions extends CallOptions {
  readonly signal: AbortSignal
  readonly onEvent: (event: CallEvent) => void
}

/** A client of a hub: HTTP over its socket, on connections that are kept. */
export class HubConnection {
  readonly #hub: HubFinder
  readonly #agent = new Agent({ keepAlive: true })
  /** The hub of the kept connections. */
  #last: HubAddress | undefined
  #isClosed = false

  constructor(hub: HubFinder) {
    this.#hub = hub
  }

  /** A JSON-RPC call. An error of the hub is thrown as the same error. */
  async call(method: string, params: unknown, options: CallOptions): Promise<unknown> {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const response = await this.#send(this.#post('/rpc', body, CALL_MS), options, body)
    return resultIn(parseJson(await this.#observed(() => wholeText(response, options))))
  }

  /** The same as a stream: events, then the answer, which `resultIn` reads. */
  streamCall(method: string, params: unknown, options: CallOptions): Promise<IncomingMessage> {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const { headers, ...post } = this.#post('/rpc', body, SILENCE_MS)
    const accept = 'text/event-stream'
    return this.#send({ ...post, headers: { ...headers, accept }, agent: false }, options, body)
  }

  /** Calls an operation. `callNow` is called once the hub is found. If the hub is in this process, the socket is not used. */
  operation(callNow: () => OperationCall, options: OperationOptions): Promise<HubAnswer> {
    return this.#attempt(options, async (address) => {
      if (address.inProcess) return address.inProcess(callNow(), options)
      const body = JSON.stringify(callNow())
      const response = await this.#sendTo(address, this.#post('/operation', body, SILENCE_MS), options, body)
      return answerIn(response, options)
    })
  }

  /** The events of a session after a seq, as they come. */
  events(sessionId: SessionKey, after: number, options: CallOptions): Promise<IncomingMessage> {
    const path = `/events?${new URLSearchParams({ session: sessionId, after: String(after) }).toString()}`
    const headers = { accept: 'text/event-stream', 'last-event-id': String(after) }
    return this.#send({ path, headers, agent: false, timeout: SILENCE_MS }, options)
  }

  /** The events of all sessions after a position of the feed. */
  feed({ after, questions }: FollowAll, options: CallOptions): Promise<IncomingMessage> {
    const path = `/events${feedQuery({ after, questions })}`
    const headers = { accept: 'text/event-stream' }
    return this.#send({ path, headers, agent: false, timeout: SILENCE_MS }, options)
  }

  /** Ends the calls that are open; none is retried after it. */
  close(): void {
    this.#isClosed = true
    this.#agent.destroy()
  }

  #post(path: string, body: string, timeout: number): HubRequest {
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
    return { method: 'POST', path, headers, agent: this.#agent, timeout }
  }

  #send(sent: HubRequest, options: CallOptions, body?: string): Promise<IncomingMessage> {
    return this.#attempt(options, (address) => this.#sendTo(address, sent, options, body))
  }

  /** Without a hub nothing was done: a hub is started, if that is allowed, and the work is retried. */
  async #attempt<T>(options: CallOptions, work: (address: HubAddress) => Promise<T>): Promise<T> {
    if (this.#isClosed) throw new HubLost(new Error('The connection is closed.'))
    const { start } = this.#hub
    const kept = this.#kept
    try {
      return await work(kept ?? (await this.#find()))
    } catch (error) {
      this.#last = undefined
      // The hub or the token may have changed since.
      if (kept && (error instanceof UnknownToken || error instanceof NoHub))
        return this.#attempt(options, work)
      if (!(error instanceof NoHub) || !start || options.mayStart === false) throw error
      await start()
      return work(await this.#find())
    }
  }

  /** An open connection leads to the hub that was found, so there is no need to find it again. */
  get #kept(): HubAddress | undefined {
    if (!this.#last || this.#last.inProcess) return this.#last
    const free = Object.values(this.#agent.freeSockets).flatMap((sockets) => sockets ?? [])
    return free.some(({ destroyed }) => !destroyed) ? this.#last : undefined
  }

  async #find(): Promise<HubAddress> {
    const address = await this.#observed(async () => {
      const found = await this.#hub.find()
      if (!found.inProcess) requireOwnSocket(found.socket)
      return found
    })
    this.#last = address
    return address
  }

  async #observed<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      if (error instanceof NoHub || error instanceof HubLost) this.#hub.onPresence?.(false)
      throw error
    }
  }

  async #sendTo(
    { socket, token }: HubAddress,
    { headers: own, ...sent }: HubRequest,
    { headers: claim, signal }: CallOptions,
    body?: string,
  ): Promise<IncomingMessage> {
    const onlooker = this.#hub.onlooks ? { [ONLOOKER]: '1' } : {}
    const headers = { ...claim, ...own, ...onlooker, authorization: `Bearer ${token}` }
    const response = await this.#observed(() =>
      send({ ...sent, signal, headers, socketPath: socket, ...NO_NAME }, body, this.#hub.onSent),
    )
    if (response.statusCode === 200) {
      this.#hub.onPresence?.(true)
      return response
    }
    const text = await textOf(response)
    if (isNotNow(response, text)) throw new NoHub(socket)
    throw refusal(response.statusCode ?? 0, parseJson(text), sent.path)
  }
}

interface HubRequest extends RequestOptions {
  readonly path: string
  readonly headers: OutgoingHttpHeaders
}

function send(
  { timeout, ...options }: HubRequest,
  body?: string,
  onSent?: () => void,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const sent = request(options, resolve)
    if (onSent) sent.once('finish', onSent)
    sent.setTimeout(timeout ?? CALL_MS, () => sent.destroy(new Error('The hub is silent.')))
    sent.on('error', (error) => {
      if (options.signal?.aborted) reject(error)
      // Not connected: nothing was done. Otherwise it is unknown how far the hub got.
      else
        reject(
          // EPIPE: the request was not sent whole, so it was not done either.
          isErrno(error, 'ENOENT', 'ECONNREFUSED', 'EPIPE')
            ? new NoHub(options.socketPath ?? '', error)
            : new HubLost(error),
        )
    })
    sent.end(body)
  })
}

async function wholeText(response: IncomingMessage, { signal }: CallOptions): Promise<string> {
  try {
    return await textOf(response)
  } catch (error) {
    throw signal?.aborted || error instanceof AppError ? error : new HubLost(error)
  }
}

/** A socket has no name that Node would have to check with a pattern, which takes longer than to connect to it. */
const NO_NAME = { servername: '' }
/** Longer than any verb takes, the longest wait included. */
const CALL_MS = 120_000
/** A hub writes something every 15 seconds, at least a keep-alive. */
const SILENCE_MS = 60_000
