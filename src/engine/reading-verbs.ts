import type { SessionId, SessionKey } from '../base/ids.ts'
import type { Verb } from '../callers/access-rules.ts'
import { followPages, readAs, readPage } from '../sessions/record/read-events.ts'
import { readTurn, type ReadTurnOptions } from '../sessions/record/read-turn.ts'
import type { Session, SessionStatus } from '../sessions/record/session.ts'
import type { Store } from '../sessions/record/store.ts'
import type { Supervisor } from '../sessions/supervisor.ts'
import { branchesFrom } from '../tree/session-tree.ts'
import { visibleSessions } from './access/visible-sessions.ts'
import { visibleRoot, visibleTree } from './access/visible-tree.ts'
import { listConversations, type Transcripts } from './conversations.ts'
import { earlierTurns } from './earlier-turns.ts'
import type { CallContext, Engine } from './engine.ts'
import { followAll, type FollowAllDeps } from './follow-all.ts'
import type { QuestionInWords } from './questions/question-words.ts'
import { withPids } from './sessions/session-now.ts'
import { waitForSessions } from './wait-for-sessions.ts'

export interface ListSessions {
  readonly status?: readonly SessionStatus[] | undefined
  readonly limit?: number | undefined
  readonly before?: { readonly updatedAt: number; readonly id: string } | undefined
}

export interface ReadEvents {
  readonly sessionId: SessionKey
  readonly after?: number | undefined
  readonly reader?: string | undefined
  readonly limit?: number | undefined
}

export interface ReadTurn extends Omit<ReadTurnOptions, 'limit'> {
  readonly sessionId: SessionKey
  /** 100 by default; 0 returns no events, only the state of the session. */
  readonly limit?: number | undefined
}

interface ReadingDeps {
  readonly supervisor: Supervisor
  readonly transcripts?: Transcripts | undefined
  /** Without what is queued at the desk. */
  readonly store: Store
  /** The store as this caller may read it. */
  readonly readBy: (call: CallContext) => Store
  readonly findSession: (call: CallContext, verb: Verb, sessionId: SessionKey) => Promise<Session>
  readonly noteSeenBy: (call: CallContext, session: Session) => Promise<Session>
  readonly openedIn: OpenedIn
}

/** Those of these questions that are open, as the caller is shown them. It is known that the caller may read the session. */
export type OpenedIn = (
  call: CallContext,
  sessionId: SessionId,
  ids: ReadonlySet<string>,
) => Promise<QuestionInWords[]>

type ReadingVerb =
  | 'getSession'
  | 'listSessions'
  | 'listConversations'
  | 'listTurns'
  | 'readEvents'
  | 'readTurn'
  | 'followEvents'
  | 'followAll'
  | 'waitFor'
  | 'tree'
  | 'history'

/** The verbs that only read sessions, their events and their history. */
export function readingVerbs(deps: ReadingDeps): Pick<Engine, ReadingVerb> {
  const { store, supervisor, transcripts, readBy, findSession, noteSeenBy } = deps
  return {
    getSession: async (call, { sessionId }) => {
      const session = await noteSeenBy(call, await findSession(call, 'read', sessionId))
      const [now = session] = await withPids(supervisor, [session])
      return now
    },
    listSessions: async ({ caller }, { status, limit = 50, before }) =>
      withPids(
        supervisor,
        await visibleSessions(store, caller, { status, before, limit: clamp(limit, MAX_LIST) }),
      ),
    listConversations: ({ caller }, input) => listConversations({ store, transcripts }, caller, input),
    listTurns: async (call, { sessionId }) =>
      store.turns.list((await findSession(call, 'read', sessionId)).id),
    readEvents: async (call, { sessionId, after, reader, limit = 100 }) => {
      const { id } = await findSession(call, 'read', sessionId)
      const most = clamp(limit, MAX_PAGE)
      if (reader !== undefined) return readAs(readBy(call), id, { reader, from: after, limit: most })
      return readPage(readBy(call), id, after ?? 0, most)
    },
    readTurn: async (call, { sessionId, limit = 100, ...options }) =>
      readTurn(readBy(call), await noteSeenBy(call, await findSession(call, 'read', sessionId)), {
        ...options,
        limit: clamp(limit, MAX_PAGE, 0),
      }),
    async *followEvents(call, { sessionId, after }) {
      const { id } = await findSession(call, 'read', sessionId)
      const signal = call.signal ?? new AbortController().signal
      yield* followPages(readBy(call), supervisor.doorbells, id, { after, signal })
    },
    followAll: (call, input) => {
      const { caller, signal = new AbortController().signal } = call
      const openedIn: FollowAllDeps['openedIn'] = (...asked) => deps.openedIn(call, ...asked)
      return followAll({ store: readBy(call), doorbells: supervisor.doorbells, openedIn }, caller, {
        ...input,
        signal,
      })
    },
    waitFor: async (call, input) => {
      const found = await waitForSessions({ store: readBy(call), supervisor }, call, input)
      for (const session of found) await noteSeenBy(call, session)
      return found
    },
    tree: async (call, { sessionId }) => {
      const { headNode } = await findSession(call, 'read', sessionId)
      const root = await visibleRoot(store, call.caller, headNode)
      return root ? visibleTree(store, call.caller, await branchesFrom(store.nodes, root)) : []
    },
    history: ({ caller }, { sessionId }) => earlierTurns({ store, transcripts }, caller, sessionId),
  }
}

function clamp(value: number, most: number, least = 1): number {
  return Math.max(least, Math.min(value, most))
}

const MAX_LIST = 500
const MAX_PAGE = 1_000
