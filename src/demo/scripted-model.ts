import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { AppError } from '../base/errors.ts'
import { Conversations } from './conversations.ts'
import type { ModelRequest } from './model-request.ts'
import { bodyFrom } from './model-request.ts'
import { modelRequestFrom } from './request-kind.ts'
import { sendReply } from './send-reply.ts'
import { RequestLog } from './request-log.ts'
import type { Reply, Scenario } from './scenario.ts'
import { sideMessageOf } from './side-replies.ts'

export type { ModelRequest } from './model-request.ts'

/** A Messages API on 127.0.0.1 that replies according to a scenario. The real CLI uses it through ANTHROPIC_BASE_URL. */
export interface ScriptedModel {
  /** `http://127.0.0.1:PORT` */
  readonly url: string
  /** All requests, in order of arrival. */
  readonly requests: readonly ModelRequest[]
  /**
   * Resolves with the first request that matches, past or future. `matches` is called again when a client disconnects, so
   * `({ aborted }) => aborted` works. Rejects when the signal aborts or the server is closed.
   */
  request(matches: (request: ModelRequest) => boolean, signal?: AbortSignal): Promise<ModelRequest>
  /** Also ends connections that hang. */
  close(): Promise<void>
}

export interface ModelOptions {
  readonly port?: number
  /** No tokens are counted, so that no session shows a cost. */
  readonly isFree?: boolean
}

export async function startScriptedModel(
  scenario: Scenario,
  options: ModelOptions = {},
): Promise<ScriptedModel> {
  const conversations = new Conversations(scenario)
  const log = new RequestLog()
  const server = createServer((incoming, response) => {
    serve(incoming, response).catch(() => response.destroy())
  })

  async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const received = await text(incoming)
    const request = modelRequestFrom(
      {
        method: incoming.method ?? '',
        path: new URL(incoming.url ?? '/', 'http://localhost').pathname,
        headers: incoming.headers,
        body: bodyFrom(received),
        bytes: Buffer.byteLength(received),
      },
      Object.keys(scenario.agents ?? {}),
    )
    const closed = new AbortController()
    response.once('close', () => {
      if (!response.writableFinished) log.abort(request)
      closed.abort()
    })
    // The reply is chosen before the request is logged, so that the order of arrival and the position agree.
    const reply = replyTo(request)
    log.add(request)
    await sendReply(response, request, reply, {
      newId,
      signal: closed.signal,
      isFree: options.isFree === true,
    })
  }

  function replyTo(request: ModelRequest): Reply {
    if (request.kind === 'side') return sideMessageOf(request)
    try {
      return conversations.next(request)
    } catch (error) {
      // The CLI does not retry a 400, so a broken script is seen at once.
      return { status: 400, message: `The script failed: ${String(error)}` }
    }
  }

  server.listen(options.port ?? 0, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch (cause) {
    throw new AppError(
      'in_use',
      `The scripted model cannot listen on port ${options.port}. Choose another.`,
      { cause },
    )
  }
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  return {
    url: `http://127.0.0.1:${port}`,
    requests: log.requests,
    request: (matches, signal) => log.first(matches, signal),
    async close() {
      log.close()
      await new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
    },
  }
}

function newId(prefix: string): string {
  return `${prefix}_${randomUUID().replaceAll('-', '')}`
}
