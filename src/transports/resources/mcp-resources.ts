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
import type { Engine, CallContext } from '../../engine/engine.ts'
import { AppError } from '../../base/errors.ts'
import type { Session } from '../../sessions/record/session.ts'
import type { LastingConnection } from '../lasting-connection.ts'
import { type NewsParts, unlessNoHub, watcher, type Watching } from './resource-updates.ts'

interface OfferParts extends NewsParts {
  /** For what clients do by themselves, without anybody's wish: no hub is started for it. */
  readonly onlooker: Engine
  /** Whether the server is there longer than for one message: only then it can tell of what is new. */
  readonly lasts: boolean
  readonly lasting?: LastingConnection | undefined
  /** Aborts when the client wants to be told in a way that the server does not see. */
  readonly listened?: AbortSignal | undefined
}

export interface Offered {
  /** There was need of a hub, so there is one to hear news from. */
  readonly hubUsed: () => void
}

/** A child is shown its own sub-tree, if it may have one, and nothing else. */
export function mayReadResources({ kind, scopes }: Caller): boolean {
  return kind !== 'session' || scopes.includes('nested')
}

/** The sessions of the caller as resources of its server, with word of what is new for who wants it. */
export function offerResources(server: Server, parts: OfferParts): Offered {
  const { engine, onlooker, caller, lasts, lasting, listened, closed } = parts
  const who: CallContext = { caller }
  const wanted = new Set<string>(lasting?.kept().uris)
  const keepWanted = () => lasting?.keep({ uris: [...wanted] })
  let asked = false
  const watching = watcher({ engine: onlooker, caller, closed }, (event) => {
    // In the newest protocol what each stream wants is seen to behind us.
    if (event.kind === 'resources_list_changed') void server.sendResourceListChanged().catch(() => {})
    else if (event.kind === 'resource_updated' && (isNew(server) || wanted.has(event.uri)))
      void server.sendResourceUpdated({ uri: event.uri }).catch(() => {})
  })
  const watch = async (how: Watching = {}) => {
    asked = true
    if (lasts) await watching(how)
  }
  server.setRequestHandler('resources/list', async () => {
    await watch()
    // Many clients ask for it as soon as they are connected.
    const sessions = await onlooker
      .listSessions(who, { limit: MOST_SESSIONS })
      .catch(unlessNoHub<Session[]>([]))
    return { resources: [LIST_RESOURCE, START_OPTIONS, ...sessions.map(sessionResource)] }
  })
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [TEMPLATE, PAGE] }))
  server.setRequestHandler('resources/read', async ({ params: { uri } }) => {
    await watch()
    return { contents: [await contentOf(engine, who, uri)] }
  })
  server.setRequestHandler('resources/subscribe', async ({ params: { uri } }) => {
    if (!lasts) throw new ProtocolError(ProtocolErrorCode.InvalidRequest, CONNECT_AGAIN)
    if (uri !== SESSIONS_URI) await sessionAt(engine, who, uri)
    await watch({ withoutHub: true })
    wanted.delete(uri)
    wanted.add(uri)
    for (const oldest of [...wanted].slice(0, -MOST_WANTED)) wanted.delete(oldest)
    await keepWanted()
    return {}
  })
  server.setRequestHandler('resources/unsubscribe', async ({ params: { uri } }) => {
    if (wanted.delete(uri)) await keepWanted()
    return {}
  })
  if (wanted.size > 0) void watch({ withoutHub: true }).catch(() => {})
  // Nobody knows what was lost while there was no stream.
  lasting?.onStream(() => {
    for (const uri of wanted) void server.sendResourceUpdated({ uri }).catch(() => {})
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

async function contentOf(engine: Engine, who: CallContext, uri: string) {
  if (uri === START_OPTIONS.uri) return { uri, mimeType: START_OPTIONS.mimeType, text: startOptionsText() }
  if (uri === SESSIONS_URI) {
    const sessions = await engine.listSessions(who, { limit: MOST_SESSIONS })
    const more = sessions.length === MOST_SESSIONS ? { note: 'There are more: claude_list pages them.' } : {}
    const text = JSON.stringify({ sessions: sessions.map(sessionBrief), ...more })
    return { uri, mimeType: 'application/json', text }
  }
  const page = pageIn(uri)
  const session = await sessionAt(engine, who, page?.sessionUri ?? uri)
  const { id: sessionId, lastSeq } = session
  if (page) {
    const { after } = page.start
    const { events } = await engine.readEvents(who, { sessionId, after, limit: MOST_IN_PAGE })
    return { uri, mimeType: TRANSCRIPT_TYPE, text: transcriptPage(session, events, page.start) }
  }
  const after = Math.max(0, lastSeq - MOST_EVENTS)
  const { events } = await engine.readEvents(who, { sessionId, after, limit: MOST_EVENTS })
  return { uri, mimeType: TRANSCRIPT_TYPE, text: transcriptOf(session, events) }
}

/** What one may not see is not there. */
async function sessionAt(engine: Engine, who: CallContext, uri: string): Promise<Session> {
  const sessionId = sessionIdIn(uri)
  try {
    if (sessionId !== undefined) return await engine.getSession(who, { sessionId })
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'not_found') throw error
  }
  throw new ResourceNotFoundError(uri, `There is no resource ${uri} here.`)
}

const CONNECT_AGAIN = 'This connection is not known here any more; connect again to be told of what is new.'
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
    'All of it, page by page: after is the seq of the event in front of the page (0: from the beginning), and each page ends with the URI of the next.',
}
const MOST_IN_PAGE = 200
/** The ones subscribed to last. */
const MOST_WANTED = 200
const MOST_SESSIONS = 100
const MOST_EVENTS = 1_000
