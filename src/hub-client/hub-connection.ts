import {
  Agent,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request,
  type RequestOptions,
} from 'node:http'
import { z } from 'zod'
import { isErrno } from '../base/errno.ts'
import { AppError, ERROR_CODES } from '../base/errors.ts'
import { type HubAddress, NoHub, ONLOOKER, requireOwnSocket } from './hub-address.ts'
import { parseJson } from '../text/json-text.ts'

/** How a hub is come by. */
export interface HubFinder {
  /** Asked before every call, so that a new hub is found where the old one was left. */
  readonly find: () => Promise<HubAddress>
  /** Sees to it that there is one; afterwards it is looked for once more. Without this, none is an error. */
  readonly start?: (() => Promise<void>) | undefined
  /** Who comes by it only looks on: no hub stays for that. */
  readonly onlooks?: boolean | undefined
}

/** How one call is made. */
export interface CallHow {
  /** What is said of who calls. */
  readonly headers: Readonly<Record<string, string>>
  readonly signal?: AbortSignal | undefined
  /** Whether a hub may be started for it, where there is none. */
  readonly mayStart?: boolean | undefined
}

/** How one speaks to a hub: HTTP over its socket, on connections that are kept. */
export class HubConnection {
  readonly #hub: HubFinder
  readonly #agent = new Agent({ keepAlive: true })

  constructor(hub: HubFinder) {
    this.#hub = hub
  }

  /** A JSON-RPC call. Its errors come back as what they were in the hub. */
  async call(method: string, params: unknown, how: CallHow): Promise<unknown> {
    const { signal } = how
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
    const options = { method: 'POST', path: '/rpc', headers, agent: this.#agent, timeout: CALL_MS }
    const said = await textOf(await this.#send(options, how, body)).catch((error: unknown) => {
      throw signal?.aborted || error instanceof AppError ? error : new HubLost(error)
    })
    return resultIn(parseJson(said))
  }

  /** The same as a stream: what happens, then the answer, which `resultIn` reads. */
  streamCall(method: string, params: unknown, how: CallHow): Promise<IncomingMessage> {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const headers = {
      accept: 'text/event-stream',
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    }
    return this.#send({ method: 'POST', path: '/rpc', headers, agent: false, timeout: SILENCE_MS }, how, body)
  }

  /** The events of a session behind a seq, as they come. */
  events(sessionId: string, after: number, how: CallHow): Promise<IncomingMessage> {
    const path = `/events?${new URLSearchParams({ session: sessionId, after: String(after) }).toString()}`
    const headers = { accept: 'text/event-stream', 'last-event-id': String(after) }
    return this.#send({ path, headers, agent: false, timeout: SILENCE_MS }, how)
  }

  close(): void {
    this.#agent.destroy()
  }

  async #send(options: Sent, how: CallHow, body?: string): Promise<IncomingMessage> {
    const { start } = this.#hub
    try {
      return await this.#sendOnce(options, how, body)
    } catch (error) {
      if (!(error instanceof NoHub) || !start || how.mayStart === false) throw error
      await start()
      return this.#sendOnce(options, how, body)
    }
  }

  async #sendOnce(options: Sent, { headers: who, signal }: CallHow, body?: string): Promise<IncomingMessage> {
    const { socket, token } = await this.#hub.find()
    await requireOwnSocket(socket)
    const onlooker = this.#hub.onlooks ? { [ONLOOKER]: '1' } : {}
    const headers = { ...who, ...options.headers, ...onlooker, authorization: `Bearer ${token}` }
    const response = await send({ ...options, signal, headers, socketPath: socket }, body)
    if (response.statusCode === 200) return response
    const said = await textOf(response)
    // It is not ready yet, or about to go, and has not looked at what it was asked.
    if (response.statusCode === 503 && said === '') throw new NoHub(socket)
    throw refusal(response.statusCode ?? 0, parseJson(said))
  }
}

/** The result in an answer; its error is thrown as what it was in the hub. */
export function resultIn(message: unknown): unknown {
  const answer = RpcResponse.safeParse(message)
  if (!answer.success) throw new AppError('internal', 'The hub answered with something that is no answer.')
  if (answer.data.error) throw errorFrom(answer.data.error)
  return answer.data.result
}

interface Sent extends RequestOptions {
  readonly headers: OutgoingHttpHeaders
}

function send({ timeout, ...options }: Sent, body?: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const asked = request(options, resolve)
    asked.setTimeout(timeout ?? CALL_MS, () => asked.destroy(new Error('The hub is silent.')))
    asked.on('error', (error) => {
      if (options.signal?.aborted) reject(error)
      // Not connected: nothing was done. Otherwise nobody knows how far the hub got.
      else
        reject(
          isErrno(error, 'ENOENT', 'ECONNREFUSED')
            ? new NoHub(options.socketPath ?? '', error)
            : new HubLost(error),
        )
    })
    asked.end(body)
  })
}

/** By its events: a stream that is iterated over takes several turns of the loop more, and most answers are one chunk. */
function textOf(response: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = ''
    response
      .setEncoding('utf8')
      .on('data', (chunk: string) => (said += chunk))
      .once('end', () => resolve(said))
      .once('error', reject)
  })
}

const RpcError = z.object({
  message: z.string(),
  data: z.looseObject({ code: z.enum(ERROR_CODES).catch('internal') }).catch({ code: 'internal' }),
})
const RpcResponse = z.object({ result: z.unknown().optional(), error: RpcError.optional() })

function errorFrom({ message, data: { code, ...data } }: z.infer<typeof RpcError>): AppError {
  return new AppError(code, message, Object.keys(data).length > 0 ? { data } : {})
}

/** What is refused before it is a call: a wrong token, a path or a size that the hub does not take. */
const Refusal = z.object({ error: z.looseObject({ code: z.enum(ERROR_CODES), message: z.string() }) })

function refusal(status: number, body: unknown): AppError {
  const { error } = Refusal.safeParse(body).data ?? {}
  if (!error)
    return new AppError(
      status >= 500 ? 'busy' : 'internal',
      `The hub answered with HTTP ${status}; try again.`,
    )
  const { message, ...data } = error
  return errorFrom({ message: status === 401 ? UNKNOWN_TOKEN : message, data })
}

const UNKNOWN_TOKEN = 'The hub does not know this token; take the one in its home folder.'

/** Nobody knows how far the hub got: what only looks can be asked again, what changes something cannot. */
export class HubLost extends AppError {
  constructor(cause: unknown) {
    super('busy', 'The hub went away before it answered; look at the session before you do this again.', {
      cause,
    })
  }
}

/** Longer than any verb takes, the longest wait included. */
const CALL_MS = 120_000
/** A hub says something every 15 seconds, if only that it is there. */
const SILENCE_MS = 60_000
