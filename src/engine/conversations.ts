import { resolve } from 'node:path'
import type { Caller } from '../callers/access-rules.ts'
import { mayReadTranscripts } from '../callers/scopes.ts'
import { realDirectory } from '../child/launch/working-directory.ts'
import type { SessionEvent } from '../events/session-event.ts'
import type { Session } from '../sessions/record/session.ts'
import type { Store } from '../sessions/record/store.ts'
import { visibleSessions } from './access/visible-sessions.ts'

/** A conversation that can be resumed: a session of ours, or one that only the CLI has. */
export interface Conversation {
  readonly sessionId: string
  readonly workingDirectory: string
  readonly title: string
  readonly updatedAt: number
  /** Absent for a conversation that only the CLI has. */
  readonly session?: Session | undefined
  /** The pid of a process outside Plexus that has it open now. */
  readonly openIn?: number | undefined
}

export interface ListConversations {
  readonly workingDirectory?: string | undefined
  readonly limit?: number | undefined
  /** The last of the page before. */
  readonly before?: { readonly updatedAt: number; readonly sessionId: string } | undefined
}

/** Port: the conversations that the CLI itself has on this machine, interactive ones too. */
export interface Transcripts {
  /** Newest first. */
  list(options: {
    workingDirectory?: string
    limit: number
    before?: { updatedAt: number; path: string }
  }): Promise<Transcript[]>
  find(sessionId: string): Promise<Transcript | undefined>
  /** The whole transcript as events; empty if there is none. */
  read(sessionId: string): AsyncIterable<SessionEvent>
}

interface Transcript {
  readonly sessionId: string
  readonly path: string
  readonly workingDirectory: string
  readonly title: string
  readonly updatedAt: number
  readonly running?: { readonly pid: number } | undefined
}

interface Sources {
  readonly store: Store
  readonly transcripts: Transcripts | undefined
}

/**
 * Our sessions and the CLI's own conversations in one list, newest first. A session of ours is placed by its last event,
 * and its transcript is not listed a second time.
 */
export async function listConversations(
  sources: Sources,
  caller: Caller,
  { workingDirectory, before, limit = 50 }: ListConversations,
): Promise<Conversation[]> {
  const { store, transcripts } = sources
  const query = {
    workingDirectory: workingDirectory === undefined ? undefined : realOrResolved(workingDirectory),
    limit: Math.max(1, Math.min(limit, MAX_LIMIT)),
  }
  // At equal times our sessions come first, so after a conversation of the CLI none of ours with that time is left.
  const isOurs = before && (await store.sessions.get(before.sessionId)) !== undefined
  const last = before && { updatedAt: before.updatedAt, id: isOurs ? before.sessionId : '' }
  const ours = ownConversations(sources, caller, { ...query, last })
  if (!mayReadTranscripts(caller) || !transcripts) return mergeNewestFirst(ours, emptyList(), query.limit)
  const path = before && !isOurs ? (await transcripts.find(before.sessionId))?.path : undefined
  const lastFile = before && { updatedAt: before.updatedAt, path: path ?? '' }
  return mergeNewestFirst(
    ours,
    cliConversations(store, transcripts, { ...query, last: lastFile }),
    query.limit,
  )
}

/** Conversations store the real path. A folder that no longer exists can still have conversations. */
function realOrResolved(path: string): string {
  try {
    return realDirectory(path)
  } catch {
    return resolve(path)
  }
}

interface PageQuery<Last> {
  readonly workingDirectory: string | undefined
  readonly limit: number
  /** The last of the page before. */
  readonly last: Last | undefined
}

async function* ownConversations(
  { store, transcripts }: Sources,
  caller: Caller,
  { workingDirectory, limit, last: before }: PageQuery<{ updatedAt: number; id: string }>,
): AsyncGenerator<Conversation, void> {
  for (let last = before; ;) {
    const page = await visibleSessions(store, caller, { before: last, limit })
    for (const session of page)
      if (workingDirectory === undefined || session.workingDirectory === workingDirectory)
        yield {
          sessionId: session.id,
          workingDirectory: session.workingDirectory,
          title: (await transcripts?.find(session.cliSessionId))?.title ?? session.name ?? '',
          updatedAt: session.updatedAt,
          session,
        }
    last = page.at(-1)
    if (page.length < limit) return
  }
}

async function* cliConversations(
  store: Store,
  transcripts: Transcripts,
  { workingDirectory, limit, last: before }: PageQuery<{ updatedAt: number; path: string }>,
): AsyncGenerator<Conversation, void> {
  for (let last = before; ;) {
    const page = await transcripts.list({
      limit,
      ...(workingDirectory === undefined ? {} : { workingDirectory }),
      ...(last ? { before: last } : {}),
    })
    for (const { sessionId, title, updatedAt, running, ...rest } of page) {
      if (await store.sessions.get(sessionId)) continue
      yield { sessionId, workingDirectory: rest.workingDirectory, title, updatedAt, openIn: running?.pid }
    }
    last = page.at(-1)
    if (page.length < limit) return
  }
}

async function mergeNewestFirst(
  a: AsyncGenerator<Conversation, void>,
  b: AsyncGenerator<Conversation, void>,
  limit: number,
): Promise<Conversation[]> {
  const page: Conversation[] = []
  let [first, second] = await Promise.all([a.next(), b.next()])
  while (page.length < limit) {
    if (first.done && second.done) break
    if (!first.done && (second.done || first.value.updatedAt >= second.value.updatedAt)) {
      page.push(first.value)
      first = await a.next()
    } else if (!second.done) {
      page.push(second.value)
      second = await b.next()
    }
  }
  return page
}

async function* emptyList(): AsyncGenerator<Conversation, void> {}

const MAX_LIMIT = 500
