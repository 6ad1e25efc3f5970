import { AT_WORK, isAtWork, needsAnswer } from '../sessions/record/at-work.ts'
import type { SessionKey } from '../base/ids.ts'
import { MAX_WAIT_SECONDS } from '../base/limits.ts'
import type { Caller } from '../callers/access-rules.ts'
import type { Session } from '../sessions/record/session.ts'
import type { Supervisor } from '../sessions/supervisor.ts'
import type { Store } from '../sessions/record/store.ts'
import { requireSession } from './access/session-access.ts'
import type { CallContext } from './engine.ts'
import { listPending } from './questions/list-pending.ts'
import { ResponsibleLookup } from './access/responsible-lookup.ts'
import { onlyVisible, visibleSessions } from './access/visible-sessions.ts'
import { waitUntil } from './wait-until.ts'

export interface WaitFor {
  readonly sessionIds?: readonly SessionKey[] | undefined
  /** Instead of ids: wait for any readable session whose seq differs from this, or that is missing here. */
  readonly seen?: Readonly<Record<string, number>> | undefined
  /** Instead of ids: besides the caller's questions, wait for the end of each of these, also if it has already come. */
  readonly atWork?: readonly string[] | undefined
  /** Questions that the caller knows and leaves open: they do not end the wait, but are returned at its end. */
  readonly known?: readonly string[] | undefined
  /** At most 50. */
  readonly seconds: number
}

/** Waits until a session needs the caller or has ended. */
export async function waitForSessions(
  { store, supervisor: { doorbells } }: { readonly store: Store; readonly supervisor: Supervisor },
  { caller, signal }: CallContext,
  { sessionIds, seen, atWork, known, seconds }: WaitFor,
): Promise<Session[]> {
  const ms = Math.max(0, Math.min(seconds, MAX_WAIT_SECONDS)) * 1_000
  const isNew = known && hasUnknownQuestion(store, caller, new Set(known))
  if (!sessionIds) {
    const find = seen ? () => changedSince(store, caller, seen) : anyReady(store, caller, atWork)
    return waitUntil(doorbells, { find, isNew, sessionIds: undefined, ms, signal })
  }
  const named = await Promise.all(sessionIds.map((id) => requireSession(store, caller, 'read', id)))
  const ids = [...new Set(named.map(({ id }) => id))] // an id may be given twice
  if (!named.some(({ config }) => config.nested))
    return waitUntil(doorbells, {
      find: () => readySessions(store, caller, ids),
      isNew,
      sessionIds: ids,
      ms,
      signal,
    })
  // The caller may also have to answer questions of sessions below these.
  const find = async () => {
    const ready = await readySessions(store, caller, ids)
    return ready.length > 0 ? ready : askingBelow(store, caller, ids)
  }
  return waitUntil(doorbells, { find, isNew, sessionIds: undefined, ms, signal })
}

/** True if a session has ended, or has a question for the caller that is not in `known`. */
function hasUnknownQuestion(store: Store, caller: Caller, known: ReadonlySet<string>) {
  return async (found: readonly Session[]): Promise<boolean> => {
    if (found.some((session) => !needsAnswer(session) || !isAtWork(session))) return true
    const asked = await store.approvals.pending(found.map(({ id }) => id))
    const mine = caller.person ? asked : await new ResponsibleLookup(store).questionsOf(caller, asked)
    return mine.some(({ id }) => !known.has(id))
  }
}

/** The sessions whose last seq differs from `seen`. Changed sessions are among the newest. */
async function changedSince(
  store: Store,
  caller: Caller,
  seen: Readonly<Record<string, number>>,
): Promise<Session[]> {
  const newest = await visibleSessions(store, caller, { limit: MAX_CHANGED })
  return newest.filter(({ id, lastSeq }) => seen[id] !== lastSeq)
}

/** The sessions that wait for the caller, and those that have ended since the last check, or since they were in `atWork`. */
function anyReady(store: Store, caller: Caller, atWork: readonly string[] = []): () => Promise<Session[]> {
  let working: ReadonlySet<string> = new Set(atWork)
  return async () => {
    const busy = await visibleSessions(store, caller, { status: AT_WORK, limit: MAX_SESSIONS })
    const before = working
    working = new Set(busy.map(({ id }) => id))
    const gone = [...before].filter((id) => !working.has(id))
    const ended = gone.length === 0 ? [] : await visibleEnded(store, caller, gone)
    const waiting = busy.filter(needsAnswer)
    return needingCaller(store, caller, { waiting, ended })
  }
}

/** `ids` come from the caller: a session may belong to another caller, have no turn yet, or be running again. */
async function visibleEnded(store: Store, caller: Caller, ids: readonly string[]): Promise<Session[]> {
  const ended = (await getSessions(store, ids)).filter(({ status }) => ENDED.has(status))
  const visible = await onlyVisible(
    store,
    caller,
    ended.map((session) => ({ session, sessionId: session.id })),
  )
  return visible.map(({ session }) => session)
}

/** Leaves out sessions whose questions or end concern a nearer answerer, and questions still queued. A person gets all others. */
async function needingCaller(
  store: Store,
  caller: Caller,
  { waiting, ended }: { waiting: readonly Session[]; ended: readonly Session[] },
): Promise<Session[]> {
  const responsible = new ResponsibleLookup(store)
  const asked = waiting.length === 0 ? [] : await store.approvals.pending(waiting.map(({ id }) => id))
  const concern = caller.person ? asked : await responsible.questionsOf(caller, asked)
  const mine = new Set(concern.map(({ sessionId }) => sessionId))
  return [
    ...waiting.filter(({ id }) => mine.has(id)),
    ...(caller.person ? ended : await responsible.sessionsOf(caller, ended)),
  ]
}

/** A question that the caller has escalated does not end its wait again. */
async function readySessions(store: Store, caller: Caller, ids: readonly string[]): Promise<Session[]> {
  const ready = (await getSessions(store, ids)).filter(
    (session) => session.status !== 'running' || needsAnswer(session),
  )
  const waiting = ready.filter(needsAnswer)
  if (waiting.length === 0) return ready
  const asked = await store.approvals.pending(waiting.map(({ id }) => id))
  const open = caller.kind === 'session' ? await new ResponsibleLookup(store).notAbove(caller, asked) : asked
  return ready.filter(
    (session) => !isAtWork(session) || open.some(({ sessionId }) => sessionId === session.id),
  )
}

async function askingBelow(store: Store, caller: Caller, ids: readonly string[]): Promise<Session[]> {
  const asked = await Promise.all(
    ids.map((sessionId) => listPending(store, caller, { sessionId, below: true })),
  )
  return getSessions(store, [...new Set(asked.flat().map(({ sessionId }) => sessionId))])
}

async function getSessions(store: Store, ids: readonly string[]): Promise<Session[]> {
  const sessions = await Promise.all(ids.map((id) => store.sessions.get(id)))
  return sessions.filter((session) => session !== undefined)
}

const ENDED: ReadonlySet<string> = new Set(['done', 'failed', 'interrupted'])
const MAX_SESSIONS = 500
const MAX_CHANGED = 100
