import { resolve } from 'node:path'
import type { Caller } from '../callers/access-rules.ts'
import { realDirectory } from '../child/launch/working-directory.ts'
import type { SessionEvent } from '../events/session-event.ts'
import type { Session } from '../sessions/record/session.ts'
import type { Store } from '../sessions/record/store.ts'
import { visibleSessions } from './access/visible-sessions.ts'

/** A conversation of the CLI, ours or not: what can be gone on with. */
export interface Conversation {
  readonly sessionId: string
  readonly workingDirectory: string
  /** What it is about. */
  readonly title: string
  readonly updatedAt: number
  /** If it is a session of ours. */
  readonly session?: Session | undefined
  /** The process that has it open now, if that is not ours. */
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
  /** All that is written down of one, as events; nothing of one that is not there. */
  read(sessionId: string): AsyncIterable<SessionEvent>
}

export interface Transcript {
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
 * Our sessions and the CLI's own conversations in one list, newest first. A session of ours stands where we last heard of
 * it, and its transcript does not come a second time.
 */
export async function listConversations(
  sources: Sources,
  caller: Caller,
  { workingDirectory, before, limit = 50 }: ListConversations,
): Promise<Conversation[]> {
  const seesAll = caller.kind === 'operator' || caller.scopes.includes('transcripts')
  const { store, transcripts } = sources
  const wanted = {
    workingDirectory: workingDirectory === undefined ? undefined : folderOf(workingDirectory),
    limit: Math.max(1, Math.min(limit, MOST)),
  }
  // Of what is as old, ours come first: behind one of theirs there is none of ours left.
  const isOurs = before && (await store.sessions.get(before.sessionId)) !== undefined
  const last = before && { updatedAt: before.updatedAt, id: isOurs ? before.sessionId : '' }
  const ours = oursFrom(sources, caller, { ...wanted, last })
  if (!seesAll || !transcripts) return merged(ours, none(), wanted.limit)
  const path = before && !isOurs ? (await transcripts.find(before.sessionId))?.path : undefined
  const lastFile = before && { updatedAt: before.updatedAt, path: path ?? '' }
  return merged(ours, theirsFrom(store, transcripts, { ...wanted, last: lastFile }), wanted.limit)
}

/** As conversations have it: the real path. One that is not there any more still has some. */
function folderOf(path: string): string {
  try {
    return realDirectory(path)
  } catch {
    return resolve(path)
  }
}

interface Wanted<Last> {
  readonly workingDirectory: string | undefined
  readonly limit: number
  /** The last of the page before. */
  readonly last: Last | undefined
}

async function* oursFrom(
  { store, transcripts }: Sources,
  caller: Caller,
  { workingDirectory, limit, last: before }: Wanted<{ updatedAt: number; id: string }>,
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

async function* theirsFrom(
  store: Store,
  transcripts: Transcripts,
  { workingDirectory, limit, last: before }: Wanted<{ updatedAt: number; path: string }>,
): AsyncGenerator<Conversation, void> {
  for (let last = before; ;) {
    const page = await transcripts.list({
      limit,
      ...(workingDirectory === undefined ? {} : { workingDirectory }),
      ...(last ? { before: last } : {}),
    })
    for (const { sessionId, title, updatedAt, running, ...at } of page) {
      if (await store.sessions.get(sessionId)) continue
      yield { sessionId, workingDirectory: at.workingDirectory, title, updatedAt, openIn: running?.pid }
    }
    last = page.at(-1)
    if (page.length < limit) return
  }
}

async function merged(
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

async function* none(): AsyncGenerator<Conversation, void> {}

const MOST = 500
