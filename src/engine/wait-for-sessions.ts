import type { Caller } from '../callers/access-rules.ts'
import type { Session } from '../sessions/record/session.ts'
import type { Supervisor } from '../sessions/supervisor.ts'
import type { Store } from '../sessions/record/store.ts'
import { sessionFor } from './access/session-access.ts'
import type { WaitFor, CallContext } from './engine.ts'
import { pendingFor } from './list-pending.ts'
import { ResponsibleLookup } from './access/responsible-lookup.ts'
import { onlyVisible, visibleSessions } from './access/visible-sessions.ts'
import { waitForSessions } from './wait-until.ts'

/** Waits until a session needs the caller, or has ended: whatever is not at work. */
export async function waitForNeed(
  { store, supervisor: { doorbells } }: { readonly store: Store; readonly supervisor: Supervisor },
  { caller, signal }: CallContext,
  { sessionIds, seen, atWork, known, seconds }: WaitFor,
): Promise<Session[]> {
  const ms = Math.max(0, Math.min(seconds, MAX_WAIT_SECONDS)) * 1_000
  const isNews = known && notAllKnown(store, caller, new Set(known))
  if (!sessionIds) {
    const look = seen ? () => changedSince(store, caller, seen) : lookForAny(store, caller, atWork)
    return waitForSessions(doorbells, { look, isNews, sessionIds: undefined, ms, signal })
  }
  const named = await Promise.all(sessionIds.map((id) => sessionFor(store, caller, 'read', id)))
  const ids = [...new Set(named.map(({ id }) => id))] // one may be named twice
  if (!named.some(({ config }) => config.nested))
    return waitForSessions(doorbells, {
      look: () => notAtWork(store, caller, ids),
      isNews,
      sessionIds: ids,
      ms,
      signal,
    })
  // What is asked below one of them may fall to the caller too.
  const look = async () => {
    const ready = await notAtWork(store, caller, ids)
    return ready.length > 0 ? ready : askingBelow(store, caller, ids)
  }
  return waitForSessions(doorbells, { look, isNews, sessionIds: undefined, ms, signal })
}

/** Whether there is more to say of these sessions than the questions that the caller knows. */
function notAllKnown(store: Store, caller: Caller, known: ReadonlySet<string>) {
  return async (found: readonly Session[]): Promise<boolean> => {
    if (found.some(({ status }) => status !== 'waiting')) return true
    const asked = await store.approvals.pending(found.map(({ id }) => id))
    const mine = caller.person ? asked : await new ResponsibleLookup(store).questionsOf(caller, asked)
    return mine.some(({ id }) => !known.has(id))
  }
}

/** Those that are not as they were seen. What has changed is among the newest. */
async function changedSince(
  store: Store,
  caller: Caller,
  seen: Readonly<Record<string, number>>,
): Promise<Session[]> {
  const newest = await visibleSessions(store, caller, { limit: MOST_CHANGED })
  return newest.filter(({ id, lastSeq }) => seen[id] !== lastSeq)
}

/** Those that wait for the caller, and those that have ended since the last look, or since somebody saw them at work. */
function lookForAny(store: Store, caller: Caller, atWork: readonly string[] = []): () => Promise<Session[]> {
  let working: ReadonlySet<string> = new Set(atWork)
  return async () => {
    const busy = await visibleSessions(store, caller, { status: ['waiting', 'running'], limit: MOST })
    const before = working
    working = new Set(busy.map(({ id }) => id))
    const gone = [...before].filter((id) => !working.has(id))
    const ended = gone.length === 0 ? [] : await endedOf(store, caller, gone)
    const waiting = busy.filter(({ status }) => status === 'waiting')
    return concerning(store, caller, { waiting, ended })
  }
}

/** What is named may be anybody's, not begun yet, or begun again. */
async function endedOf(store: Store, caller: Caller, ids: readonly string[]): Promise<Session[]> {
  const ended = (await sessionsOf(store, ids)).filter(({ status }) => ENDED.has(status))
  const visible = await onlyVisible(
    store,
    caller,
    ended.map((session) => ({ session, sessionId: session.id })),
  )
  return visible.map(({ session }) => session)
}

/** A session is not woken for what one below it will answer, and nobody for what waits in line; a person for all the rest. */
async function concerning(
  store: Store,
  caller: Caller,
  { waiting, ended }: { waiting: readonly Session[]; ended: readonly Session[] },
): Promise<Session[]> {
  const responsibility = new ResponsibleLookup(store)
  const asked = waiting.length === 0 ? [] : await store.approvals.pending(waiting.map(({ id }) => id))
  const concern = caller.person ? asked : await responsibility.questionsOf(caller, asked)
  const mine = new Set(concern.map(({ sessionId }) => sessionId))
  return [
    ...waiting.filter(({ id }) => mine.has(id)),
    ...(caller.person ? ended : await responsibility.sessionsOf(caller, ended)),
  ]
}

/** Whoever has handed a question up is not woken by it again. */
async function notAtWork(store: Store, caller: Caller, ids: readonly string[]): Promise<Session[]> {
  const ready = (await sessionsOf(store, ids)).filter(({ status }) => status !== 'running')
  const waiting = ready.filter(({ status }) => status === 'waiting')
  if (waiting.length === 0) return ready
  const asked = await store.approvals.pending(waiting.map(({ id }) => id))
  const open = caller.kind === 'session' ? await new ResponsibleLookup(store).notAbove(caller, asked) : asked
  return ready.filter(
    ({ id, status }) => status !== 'waiting' || open.some(({ sessionId }) => sessionId === id),
  )
}

async function askingBelow(store: Store, caller: Caller, ids: readonly string[]): Promise<Session[]> {
  const asked = await Promise.all(
    ids.map((sessionId) => pendingFor(store, caller, { sessionId, below: true })),
  )
  return sessionsOf(store, [...new Set(asked.flat().map(({ sessionId }) => sessionId))])
}

async function sessionsOf(store: Store, ids: readonly string[]): Promise<Session[]> {
  const sessions = await Promise.all(ids.map((id) => store.sessions.get(id)))
  return sessions.filter((session) => session !== undefined)
}

const ENDED: ReadonlySet<string> = new Set(['done', 'failed', 'interrupted'])
const MOST = 500
const MOST_CHANGED = 100
const MAX_WAIT_SECONDS = 50
