import {
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  type Server,
  type ServerEvent,
  type ServerEventBus,
} from '@modelcontextprotocol/server'
import { resourceOf, briefOf, TRANSCRIPT_TYPE } from '../api/resources/session-list.ts'
import { SESSION_TEMPLATE, sessionIdIn, SESSIONS_URI, uriOf } from '../api/resources/session-uri.ts'
import { transcriptOf } from '../api/resources/transcript.ts'
import type { Identity } from '../callers/permission.ts'
import type { Engine, Who } from '../engine/engine.ts'
import { AppError } from '../errors.ts'
import type { Session } from '../sessions/session.ts'
import { type Changes, seenNow, sessionChanges } from './session-changes.ts'

export interface ResourceParts {
  readonly engine: Engine
  readonly caller: Identity
  /** When there is nobody to tell any more. */
  readonly closed: AbortSignal
}

interface OfferParts extends ResourceParts {
  /** Whether the server is there longer than for one message: only then it can tell of what is new. */
  readonly lasts: boolean
}

/** A child is shown its own sub-tree, if it may have one, and nothing else. */
export function mayReadResources({ kind, scopes }: Identity): boolean {
  return kind !== 'session' || scopes.includes('nested')
}

/** The sessions of the caller as resources of its server, with word of what is new for who wants it. */
export function offerResources(server: Server, { engine, caller, lasts, closed }: OfferParts): void {
  const who: Who = { caller }
  const wanted = new Set<string>()
  const watching = watcher({ engine, caller, closed }, (event) => {
    // In the newest protocol what each stream wants is seen to behind us.
    if (event.kind === 'resources_list_changed') void server.sendResourceListChanged().catch(() => {})
    else if (event.kind === 'resource_updated' && (isNew(server) || wanted.has(event.uri)))
      void server.sendResourceUpdated({ uri: event.uri }).catch(() => {})
  })
  const watch = async () => (lasts ? watching() : undefined)
  server.setRequestHandler('resources/list', async () => {
    await watch()
    const sessions = await engine.listSessions(who, { limit: MOST_SESSIONS })
    return { resources: [LIST_RESOURCE, ...sessions.map(resourceOf)] }
  })
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: [TEMPLATE] }))
  server.setRequestHandler('resources/read', async ({ params: { uri } }) => {
    await watch()
    return { contents: [await contentOf(engine, who, uri)] }
  })
  server.setRequestHandler('resources/subscribe', async ({ params: { uri } }) => {
    if (!lasts) throw new ProtocolError(ProtocolErrorCode.InvalidRequest, CONNECT_AGAIN)
    if (uri !== SESSIONS_URI) await sessionAt(engine, who, uri)
    await watch()
    wanted.add(uri)
    return {}
  })
  server.setRequestHandler('resources/unsubscribe', ({ params: { uri } }) => {
    wanted.delete(uri)
    return {}
  })
}

/** The same news for streams that each have a request of their own: each listens for its caller, and hears of nobody else's. */
export function sessionBus(engine: Engine, caller: Identity): ServerEventBus {
  return {
    publish: () => {},
    subscribe: (listener) => {
      const stop = new AbortController()
      void watcher({ engine, caller, closed: stop.signal }, listener)().catch(() => {})
      return () => stop.abort()
    },
  }
}

/** Begins to watch when it is first called, and resolves once nothing that happens from then on is missed. */
function watcher(
  { engine, caller, closed }: ResourceParts,
  tell: (event: ServerEvent) => void,
): () => Promise<void> {
  let begun: Promise<void> | undefined
  const begin = async () => {
    const who = { caller, signal: closed }
    const seen = await seenNow(engine, who)
    const follow = async () => {
      for await (const changes of sessionChanges(engine, who, seen)) eventsOf(changes).forEach(tell)
    }
    void follow().catch(() => {})
  }
  return () => (begun ??= begin())
}

function eventsOf({ sessions, came }: Changes): ServerEvent[] {
  return [
    ...(came ? [{ kind: 'resources_list_changed' as const }] : []),
    { kind: 'resource_updated', uri: SESSIONS_URI },
    ...sessions.map((session) => ({ kind: 'resource_updated' as const, uri: uriOf(session) })),
  ]
}

function isNew(server: Server): boolean {
  return (server.getNegotiatedProtocolVersion() ?? '') >= '2026'
}

async function contentOf(engine: Engine, who: Who, uri: string) {
  if (uri === SESSIONS_URI) {
    const sessions = await engine.listSessions(who, { limit: MOST_SESSIONS })
    const more = sessions.length === MOST_SESSIONS ? { note: 'There are more: claude_list pages them.' } : {}
    const text = JSON.stringify({ sessions: sessions.map(briefOf), ...more })
    return { uri, mimeType: 'application/json', text }
  }
  const session = await sessionAt(engine, who, uri)
  const { id: sessionId, lastSeq } = session
  const after = Math.max(0, lastSeq - MOST_EVENTS)
  const { events } = await engine.readEvents(who, { sessionId, after, limit: MOST_EVENTS })
  return { uri, mimeType: TRANSCRIPT_TYPE, text: transcriptOf(session, events) }
}

/** What one may not see is not there. */
async function sessionAt(engine: Engine, who: Who, uri: string): Promise<Session> {
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
const MOST_SESSIONS = 100
const MOST_EVENTS = 1_000
