import {
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  type Server,
} from '@modelcontextprotocol/server'
import { sessionResource, sessionBrief, TRANSCRIPT_TYPE } from '../../api/resources/session-list.ts'
import {
  PAGE_TEMPLATE,
  pageIn,
  SESSION_TEMPLATE,
  sessionIdIn,
  SESSIONS_URI,
} from '../../api/resources/session-uri.ts'
import { START_OPTIONS, startOptionsText } from '../../api/resources/start-options.ts'
import { transcriptOf, transcriptPage } from '../../api/resources/transcript.ts'
import type { Caller } from '../../callers/access-rules.ts'
import { asksOnly } from '../../callers/scopes.ts'
import type { Engine, CallContext } from '../../engine/engine.ts'
import { AppError } from '../../base/errors.ts'
import type { Session } from '../../sessions/record/session.ts'
import type { LastingConnection } from '../lasting-connection.ts'
import { type WatchParts, unlessNoHub, watcher, type WatchOptions } from './resource-updates.ts'

interface ResourceParts extends WatchParts {
  /** For requests that clients make on their own, not for a user: no hub is started for them. */
  readonly onlooker: Engine
  /** True if the server outlasts one message: only then it can send updates. */
  readonly lasts: boolean
  readonly lasting?: LastingConnection | undefined
  /** Aborts when the client subscribes in a way that the server does not see. */
  readonly listened?: AbortSignal | undefined
}

export interface ResourceServer {
  /** Called when a hub was needed, so that there is a hub to watch. */
  readonly hubUsed: () => void
}

/** A child that is not nested has no sessions to read. */
export function mayReadResources(caller: Caller): boolean {
  return !asksOnly(caller)
}

/** Offers the sessions of the caller as MCP resources, with updates for subscribers. */
export function offerResources(server: Server, parts: ResourceParts): ResourceServer {
  const { engine, onlooker, caller, lasts, lasting, listened, closed } = parts
  const call: CallContext = { caller }
  const subscribed = new Set<string>(lasting?.kept().uris)
  const storeSubscribed = () => lasting?.keep({ uris: [...subscribed] })
  let asked = false
  const watching = watcher({ engine: onlooker, caller, closed }, (event) => {
    // In the newest protocol the SDK filters updates for each stream.
    if (event.kind === 'resources_list_changed') void server.sendResourceListChanged().catch(() => {})
    else if (event.kind === 'resource_updated' && (isNew(server) || subscribed.has(event.uri)))
      void server.sendResourceUpdated({ uri: event.uri }).catch(() => {})
  })
  const watch = async (options: WatchOptions = {}) => {
    asked = true
    if (lasts) await watching(options)
  }
  server.setRequestHandler('resources/list', async () => {
    await watch()
    // Many clients request the list as soon as they are connected.
    const sessions = await onlooker
      .listSessions(call, { limit: MAX_SESSIONS })
      .catch(unlessNoHub<Session[]>([]))
    return { resources: [LIST_RESOURCE, START_OPTIONS, ...sessions.map(sessionResource)] }
  })
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [TEMPLATE, PAGE] }))
  server.setRequestHandler('resources/read', async ({ params: { uri } }) => {
    await watch()
    return { contents: [await contentOf(engine, call, uri)] }
  })
  server.setRequestHandler('resources/subscribe', async ({ params: { uri } }) => {
    if (!lasts) throw new ProtocolError(ProtocolErrorCode.InvalidRequest, CONNECT_AGAIN)
    if (uri !== SESSIONS_URI) await sessionAt(engine, call, uri)
    await watch({ withoutHub: true })
    subscribed.delete(uri)
    subscribed.add(uri)
    for (const oldest of [...subscribed].slice(0, -MAX_SUBSCRIBED)) subscribed.delete(oldest)
    await storeSubscribed()
    return {}
  })
  server.setRequestHandler('resources/unsubscribe', async ({ params: { uri } }) => {
    if (subscribed.delete(uri)) await storeSubscribed()
    return {}
  })
  if (subscribed.size > 0) void watch({ withoutHub: true }).catch(() => {})
  // Updates may have been lost while there was no stream, so send all again.
  lasting?.onStream(() => {
    for (const uri of subscribed) void server.sendResourceUpdated({ uri }).catch(() => {})
  })
  const onListened = () => void watch({ withoutHub: true }).catch(() => {})
  if (listened?.aborted) onListened()
  listened?.addEventListener('abort', onListened, { once: true })
  return {
    hubUsed: () => {
      if (asked) void watch().catch(() => {})
    },
  }
}

function isNew(server: Server): boolean {
  return (server.getNegotiatedProtocolVersion() ?? '') >= '2026'
}

async function contentOf(engine: Engine, call: CallContext, uri: string) {
  if (uri === START_OPTIONS.uri) return { uri, mimeType: START_OPTIONS.mimeType, text: startOptionsText() }
  if (uri === SESSIONS_URI) {
    const sessions = await engine.listSessions(call, { limit: MAX_SESSIONS })
    const more =
      sessions.length === MAX_SESSIONS
        ? { note: 'There are more sessions: claude_list has pages of them.' }
        : {}
    const text = JSON.stringify({ sessions: sessions.map(sessionBrief), ...more })
    return { uri, mimeType: 'application/json', text }
  }
  const page = pageIn(uri)
  const session = await sessionAt(engine, call, page?.sessionUri ?? uri)
  const { id: sessionId, lastSeq } = session
  if (page) {
    const { after } = page.start
    const { events } = await engine.readEvents(call, { sessionId, after, limit: MAX_IN_PAGE })
    return { uri, mimeType: TRANSCRIPT_TYPE, text: transcriptPage(session, events, page.start) }
  }
  const after = Math.max(0, lastSeq - MAX_EVENTS)
  const { events } = await engine.readEvents(call, { sessionId, after, limit: MAX_EVENTS })
  return { uri, mimeType: TRANSCRIPT_TYPE, text: transcriptOf(session, events) }
}

/** A session that the caller may not read is reported as not found. */
async function sessionAt(engine: Engine, call: CallContext, uri: string): Promise<Session> {
  const sessionId = sessionIdIn(uri)
  try {
    if (sessionId !== undefined) return await engine.getSession(call, { sessionId })
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'not_found') throw error
  }
  throw new ResourceNotFoundError(uri, `There is no resource ${uri} here.`)
}

const CONNECT_AGAIN = 'This connection is no longer known here; connect again to get updates.'
const LIST_RESOURCE = {
  uri: SESSIONS_URI,
  name: 'sessions',
  title: 'Claude Code sessions',
  description: 'Your sessions in brief, newest first.',
  mimeType: 'application/json',
}
const TEMPLATE = {
  uriTemplate: SESSION_TEMPLATE,
  name: 'session',
  title: 'A Claude Code session',
  description: 'What was said, done, asked and decided in a session.',
  mimeType: TRANSCRIPT_TYPE,
}
const PAGE = {
  ...TEMPLATE,
  uriTemplate: PAGE_TEMPLATE,
  name: 'session-page',
  title: 'A page of a Claude Code session',
  description:
    'The full transcript, page by page: after is the seq of the event before the page (0: from the beginning), and each page ends with the URI of the next.',
}
const MAX_IN_PAGE = 200
/** Only the latest subscriptions are kept. */
const MAX_SUBSCRIBED = 200
const MAX_SESSIONS = 100
const MAX_EVENTS = 1_000
