import {
  Agent,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request,
  type RequestOptions,
} from 'node:http'
import { text } from 'node:stream/consumers'
import { z } from 'zod'
import { isErrno } from '../errno.ts'
import { AppError, ERROR_CODES } from '../errors.ts'
import { type HubAddress, noHub } from './hub-address.ts'

/** How one speaks to a hub: HTTP over its socket, on connections that are kept. */
export class HubConnection {
  readonly #find: () => Promise<HubAddress>
  readonly #headers: Readonly<Record<string, string>>
  readonly #agent = new Agent({ keepAlive: true })

  constructor(find: () => Promise<HubAddress>, headers: Readonly<Record<string, string>>) {
    this.#find = find
    this.#headers = headers
  }

  /** A JSON-RPC call. Its errors come back as what they were in the hub. */
  async call(method: string, params: unknown, signal?: AbortSignal): Promise<unknown> {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
    const options = { method: 'POST', path: '/rpc', headers, agent: this.#agent, timeout: CALL_MS, signal }
    const said = await text(await this.#send(options, body)).catch((error: unknown) => {
      throw signal?.aborted ? error : lost(error)
    })
    const answer = RpcResponse.safeParse(jsonOf(said))
    if (!answer.success) throw new AppError('internal', 'The hub answered with something that is no answer.')
    if (answer.data.error) throw errorFrom(answer.data.error)
    return answer.data.result
  }

  /** The events of a session behind a seq, as they come. */
  events(sessionId: string, after: number, signal: AbortSignal): Promise<IncomingMessage> {
    const path = `/events?${new URLSearchParams({ session: sessionId, after: String(after) }).toString()}`
    const headers = { accept: 'text/event-stream', 'last-event-id': String(after) }
    return this.#send({ path, headers, agent: false, timeout: SILENCE_MS, signal })
  }

  close(): void {
    this.#agent.destroy()
  }

  async #send(options: Sent, body?: string): Promise<IncomingMessage> {
    const { socket, token } = await this.#find()
    const headers = { ...this.#headers, ...options.headers, authorization: `Bearer ${token}` }
    const response = await send({ ...options, headers, socketPath: socket }, body)
    if (response.statusCode === 200) return response
    throw refusal(response.statusCode ?? 0, jsonOf(await text(response)))
  }
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
          isErrno(error, 'ENOENT', 'ECONNREFUSED') ? noHub(options.socketPath ?? '', error) : lost(error),
        )
    })
    asked.end(body)
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

function lost(cause: unknown): AppError {
  const sentence = 'The hub went away before it answered; look at the session before you do this again.'
  return new AppError('busy', sentence, { cause })
}

function jsonOf(said: string): unknown {
  try {
    return JSON.parse(said)
  } catch {
    return undefined
  }
}

/** Longer than any verb takes, the longest wait included. */
const CALL_MS = 120_000
/** A hub says something every 15 seconds, if only that it is there. */
const SILENCE_MS = 60_000
