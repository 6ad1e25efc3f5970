import type { z } from 'zod'
import type { Engine } from '../../../src/engine/engine.ts'
import type { VERB_INPUTS, VerbName } from '../../../src/engine/verbs.ts'
import type { FollowedPage, FollowedStep } from '../../../src/engine/follow-all.ts'
import { feedQuery } from '../../../src/events/feed-query.ts'
import { SseFrames } from '../../../src/text/sse-frames.ts'

/** An error of the hub, with the code that every face has. */
export class HubError extends Error {
  readonly code: string
  readonly data: Readonly<Record<string, unknown>>

  constructor(code: string, message: string, data: Readonly<Record<string, unknown>> = {}) {
    super(message)
    this.name = 'HubError'
    this.code = code
    this.data = data
  }
}

/** The token is unknown or no longer valid. */
export class SignedOut extends HubError {
  constructor() {
    super('signed_out', 'This device is not signed in.')
  }
}

/** The hub does not answer. */
export class HubAway extends HubError {
  constructor() {
    super('hub_away', 'The hub does not answer.')
  }
}

/** What a verb takes over the wire, by the schema that checks it. */
export type Input<Name extends VerbName> = z.input<(typeof VERB_INPUTS)[Name]>
export type Result<Name extends VerbName> = Awaited<ReturnType<Engine[Name]>>

/** The verbs of the hub and its feed, for a browser or a test: `/rpc`, `/events`, and nothing else. */
export class HubClient {
  readonly #origin: string
  readonly #token: () => string | undefined

  /** `origin` is empty for the page itself. */
  constructor(token: () => string | undefined, origin = '') {
    this.#token = token
    this.#origin = origin
  }

  async call<Name extends VerbName>(name: Name, input: Input<Name>): Promise<Result<Name>> {
    const response = await this.#fetch('/rpc', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: name, params: input }),
    })
    // The hub is of the same package as this page: it answers with what the verb returns.
    const reply: RpcReply<Result<Name>> = await response.json()
    if ('error' in reply) throw errorOf(reply.error)
    return reply.result
  }

  /** The steps of all sessions after a position, each with the questions that it opens; the first page says where the feed is. Ends when the connection ends; `onHeard` is called for whatever arrives. */
  async *feed(
    after: number | undefined,
    signal: AbortSignal,
    onHeard: () => void = () => {},
  ): AsyncGenerator<FollowedPage, void> {
    const path = `/events${feedQuery({ after, questions: true })}`
    const response = await this.#fetch(path, { headers: { accept: 'text/event-stream' }, signal })
    if (!response.body) return
    const reader = response.body.getReader()
    const decoder = new TextDecoder()
    const frames = new SseFrames()
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      onHeard()
      // What arrived together is one page: a burst is not worth a turn of the page for each step.
      let page: (FollowedPage & { steps: FollowedStep[] }) | undefined
      for (const { event, data } of frames.take(decoder.decode(value, { stream: true }))) {
        if (event === 'position') {
          if (page) yield page
          const start: Omit<FollowedPage, 'steps'> = JSON.parse(data)
          page = { steps: [], ...start }
        } else if (event === 'message') {
          const step: FollowedStep = JSON.parse(data)
          const steps = page?.steps ?? []
          steps.push(step)
          page = { ...page, steps, position: step.position }
        }
      }
      if (page) yield page
    }
  }

  async #fetch(path: string, { headers, ...options }: HubRequest): Promise<Response> {
    const token = this.#token()
    if (token === undefined) throw new SignedOut()
    const authorization = `Bearer ${token}`
    const response = await fetch(`${this.#origin}${path}`, {
      ...options,
      cache: 'no-store',
      credentials: 'omit',
      headers: { ...headers, authorization },
    }).catch((error: unknown) => {
      if (options.signal?.aborted) throw error
      throw new HubAway()
    })
    if (response.status === 401) throw new SignedOut()
    if (response.ok) return response
    const body: { error?: RpcFault } = await response.json().catch(() => ({}))
    throw body.error ? errorOf(body.error) : new HubAway()
  }
}

interface HubRequest extends Omit<RequestInit, 'headers'> {
  readonly headers: Readonly<Record<string, string>>
}

type RpcReply<T> = { readonly result: T } | { readonly error: RpcFault }

interface RpcFault {
  readonly code?: string | number
  readonly message: string
  readonly data?: Readonly<Record<string, unknown>>
}

function errorOf({ code, message, data = {} }: RpcFault): HubError {
  const own = data['code'] ?? code
  return new HubError(typeof own === 'string' ? own : 'internal', message, data)
}
