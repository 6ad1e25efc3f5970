import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { Engine, CallContext } from '../../engine/engine.ts'
import { FollowAll, FollowEvents } from '../../engine/inputs/event-inputs.ts'
import { AppError } from '../../base/errors.ts'
import { parseInput } from '../../base/parse-input.ts'
import type { FollowedPage } from '../../engine/follow-all.ts'
import type { Page } from '../../sessions/record/read-events.ts'
import { startHeartbeat } from '../../async/heartbeat.ts'

/**
 * Of one session: starts after the last event that the client has (`Last-Event-ID`), else after `after`, else at the
 * beginning. Without a session, of all: by default from now on.
 */
export function followInput(
  query: URLSearchParams,
  lastEventId: string | undefined,
): FollowEvents | FollowAll {
  const session = query.get('session')
  const after = lastEventId ?? query.get('after') ?? (session === null ? undefined : '0')
  const questions = query.get('questions')
  const unknown = [...query.keys()].find((name) => !['session', 'after', 'questions'].includes(name))
  if (unknown !== undefined) throw invalidField('session', NO_SESSION)
  if (questions !== null && (questions !== '1' || session !== null))
    throw invalidField(
      'questions',
      'questions must be 1, and is for the events of all sessions: GET /events?questions=1.',
    )
  const asked = questions === null ? {} : { questions: true }
  if (after === undefined) return asked
  if (!/^\d{1,15}$/.test(after)) {
    const field = lastEventId === undefined ? 'after' : 'Last-Event-ID'
    throw invalidField(field, `${field} must be the seq of an event: a whole number, or 0 for all events.`)
  }
  if (session === null) return parseInput(FollowAll, { after: Number(after), ...asked })
  return parseInput(FollowEvents, { sessionId: session, after: Number(after) })
}

/** Names the field as it was in the request. */
function invalidField(field: string, message: string): AppError {
  return new AppError('invalid_input', message, { data: { field } })
}

const NO_SESSION =
  'session must be the id or the name of a session: GET /events?session=ID, or GET /events for all sessions.'

/** Sends every event after `after`, past and future, of one session or of all, until either side closes. */
export async function streamEvents(
  response: ServerResponse,
  engine: Engine,
  call: CallContext & { readonly signal: AbortSignal },
  input: FollowEvents | FollowAll,
): Promise<void> {
  if (!('sessionId' in input))
    return streamPages(response, call.signal, engine.followAll(call, input), feedText)
  await engine.getSession(call, { sessionId: input.sessionId }) // refuse with an error before the stream begins
  await streamPages(response, call.signal, engine.followEvents(call, input), textOf)
}

/** A slow reader slows only itself. */
async function streamPages<T>(
  response: ServerResponse,
  signal: AbortSignal,
  pages: AsyncIterable<T>,
  text: (page: T) => string,
): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
  response.write(': hello\n\n')
  const endHeartbeat = startHeartbeat(() => response.write(': still here\n\n'))
  try {
    for await (const page of pages) {
      if (!writeNow(response, text(page))) await once(response, 'drain', { signal })
      if (signal.aborted) break
    }
  } catch (error) {
    if (!signal.aborted) throw error
  } finally {
    endHeartbeat()
    response.end()
  }
}

/**
 * Node sends what is written when all else that is ready has run, as the follow-up of the step that was stored. A person waits
 * for the question in it, so it is sent first.
 */
function writeNow(response: ServerResponse, text: string): boolean {
  const { socket } = response
  socket?.cork()
  const isTaken = response.write(text)
  socket?.uncork()
  return isTaken
}

function textOf({ events, gap }: Page): string {
  const missing = gap ? `event: gap\ndata: ${JSON.stringify(gap)}\n\n` : ''
  return missing + events.map((event) => `id: ${event.seq}\ndata: ${JSON.stringify(event)}\n\n`).join('')
}

/** A message for each step, so that a reader has a step whole or not at all. A page without steps only says where it is. */
function feedText({ steps, position, missed }: FollowedPage): string {
  const start = `id: ${position}\nevent: position\ndata: ${JSON.stringify({ position, ...(missed ? { missed } : {}) })}\n\n`
  const messages = steps.map(
    ({ position: at, sessionId, events, asked }) =>
      `id: ${at}\ndata: ${JSON.stringify({ position: at, sessionId, events, ...(asked ? { asked } : {}) })}\n\n`,
  )
  return (missed || steps.length === 0 ? start : '') + messages.join('')
}
