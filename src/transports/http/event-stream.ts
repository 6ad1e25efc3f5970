import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { Engine, CallContext } from '../../engine/engine.ts'
import { FollowEvents } from '../../engine/verbs.ts'
import { AppError } from '../../base/errors.ts'
import { parseInput } from '../../base/parse-input.ts'
import type { Page } from '../../sessions/record/read-events.ts'

const HEARTBEAT_MS = 15_000

/** Starts after the last event that the client has (`Last-Event-ID`), else after `after`, else at the beginning. */
export function followInput(query: URLSearchParams, lastEventId: string | undefined): FollowEvents {
  const after = lastEventId ?? query.get('after') ?? '0'
  const session = query.get('session')
  if (session === null) throw invalidField('session', NO_SESSION)
  if (!/^\d{1,15}$/.test(after)) {
    const field = lastEventId === undefined ? 'after' : 'Last-Event-ID'
    throw invalidField(field, `${field} must be the seq of an event: a whole number, or 0 for all events.`)
  }
  return parseInput(FollowEvents, { sessionId: session, after: Number(after) })
}

/** Names the field as it was in the request. */
function invalidField(field: string, message: string): AppError {
  return new AppError('invalid_input', message, { data: { field } })
}

const NO_SESSION = 'session must be the id or the name of a session: GET /events?session=ID.'

/** Sends every event after `after`, past and future, until either side closes. A slow reader slows only itself. */
export async function streamEvents(
  response: ServerResponse,
  engine: Engine,
  call: CallContext & { readonly signal: AbortSignal },
  input: FollowEvents,
): Promise<void> {
  await engine.getSession(call, { sessionId: input.sessionId }) // refuse with an error before the stream begins
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
  response.write(': hello\n\n')
  const heartbeat = setInterval(() => response.write(': still here\n\n'), HEARTBEAT_MS)
  try {
    for await (const page of engine.followEvents(call, input)) {
      if (!response.write(textOf(page))) await once(response, 'drain', { signal: call.signal })
      if (call.signal.aborted) break
    }
  } catch (error) {
    if (!call.signal.aborted) throw error
  } finally {
    clearInterval(heartbeat)
    response.end()
  }
}

function textOf({ events, gap }: Page): string {
  const missing = gap ? `event: gap\ndata: ${JSON.stringify(gap)}\n\n` : ''
  return missing + events.map((event) => `id: ${event.seq}\ndata: ${JSON.stringify(event)}\n\n`).join('')
}
