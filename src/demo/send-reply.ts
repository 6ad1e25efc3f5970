import type { ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import type { ModelRequest } from './model-request.ts'
import type { Reply } from './scenario.ts'
import type { Frame, MessageFacts } from './sse-messages.ts'
import { cutFramesOf, framesOf, sseTextOf, wholeMessageOf } from './sse-messages.ts'

interface Context {
  readonly newId: (prefix: string) => string
  /** Aborts when the client disconnects or the server is closed. */
  readonly signal: AbortSignal
  readonly isFree: boolean
}

/** Writes one reply to one HTTP response: whole, as a stream, cut short, as an error, or not at all. */
export async function sendReply(
  response: ServerResponse,
  request: ModelRequest,
  reply: Reply,
  { newId, signal, isFree }: Context,
): Promise<void> {
  const inputTokens = isFree ? 0 : inputTokensOf(request)
  const facts: MessageFacts = { newId, model: request.body.model, inputTokens, isFree }
  if (request.method === 'HEAD') return sendJson(response, 200, {})
  if (request.path === '/v1/messages/count_tokens')
    return sendJson(response, 200, { input_tokens: inputTokens })
  if (request.path !== '/v1/messages')
    return sendJson(response, 404, errorBodyOf(404, 'The scripted model has no such path.'))
  if ('hang' in reply) return
  if ('status' in reply) {
    if (reply.retryAfterSeconds !== undefined) response.setHeader('retry-after', reply.retryAfterSeconds)
    return sendJson(response, reply.status, errorBodyOf(reply.status, reply.message))
  }
  if ('cut' in reply) {
    await sendFrames(response, cutFramesOf(reply.cut, facts), signal)
    response.destroy()
    return
  }
  if (reply.delayMs) await pause(reply.delayMs, undefined, { signal })
  if (!request.body.stream) return sendJson(response, 200, wholeMessageOf(reply, facts))
  await sendFrames(response, framesOf(reply, facts), signal)
  response.end()
}

async function sendFrames(response: ServerResponse, frames: Frame[], signal: AbortSignal): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
  let ready = ''
  const flush = (): Promise<void> =>
    new Promise((resolve, reject) => {
      response.write(ready, (error) => (error ? reject(error) : resolve()))
      ready = ''
    })
  for (const frame of frames) {
    if (frame.afterMs > 0) {
      if (ready) await flush()
      await pause(frame.afterMs, undefined, { signal })
    }
    ready += sseTextOf(frame)
  }
  if (ready) await flush()
}

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify(body))
}

const ERROR_TYPES: Record<number, string> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  429: 'rate_limit_error',
  500: 'api_error',
  529: 'overloaded_error',
}

function errorBodyOf(status: number, message = `Scripted ${status}.`) {
  return { type: 'error', error: { type: ERROR_TYPES[status], message } }
}

/** Four bytes to the token, but never so many that a huge scripted input makes the CLI compact its conversation. */
function inputTokensOf({ bytes }: ModelRequest): number {
  return Math.min(Math.max(1, Math.ceil(bytes / 4)), 50_000)
}
