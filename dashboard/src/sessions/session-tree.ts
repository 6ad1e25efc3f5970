import type { Session } from '../../../src/sessions/record/session.ts'
import { type Asking, shownState, stateWord, titleOf } from '../../../src/command-line/views/session-words.ts'

/** A session of the list, with how many of its questions are open: those are known first. */
export type ListedSession = Session & Asking

export interface SessionRow {
  readonly session: ListedSession
  readonly depth: number
}

/** The sessions as rows of a tree: what needs the person first, then what was active last; those below right after the one that started them. Pure. */
export function sessionRows(sessions: readonly ListedSession[]): SessionRow[] {
  const ids = new Set(sessions.map(({ id }) => id))
  const below = new Map<string | undefined, ListedSession[]>()
  for (const session of sessions) {
    const parent = session.parentId !== undefined && ids.has(session.parentId) ? session.parentId : undefined
    below.set(parent, [...(below.get(parent) ?? []), session])
  }
  const rowsOf = (parent: string | undefined, depth: number): SessionRow[] =>
    (below.get(parent) ?? [])
      .toSorted((a, b) => urgency(a, below) - urgency(b, below) || activity(b, below) - activity(a, below))
      .flatMap((session) => [{ session, depth }, ...rowsOf(session.id, depth + 1)])
  return rowsOf(undefined, 0)
}

type Below = ReadonlyMap<string | undefined, readonly ListedSession[]>

/** A session is as urgent as the most urgent one below it. */
function urgency(session: ListedSession, below: Below): number {
  const own = stateWord(session) === 'needs you' ? 0 : 1
  return Math.min(own, ...(below.get(session.id) ?? []).map((child) => urgency(child, below)))
}

/** And as active as the one below it that was active last. */
function activity(session: ListedSession, below: Below): number {
  return Math.max(session.updatedAt, ...(below.get(session.id) ?? []).map((child) => activity(child, below)))
}

/** The sessions with each of these words in their name, folder or state, and those that started them. Pure. */
export function foundSessions(sessions: readonly ListedSession[], text: string): readonly ListedSession[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return sessions
  const byId = new Map<string, ListedSession>(sessions.map((session) => [session.id, session]))
  const found = new Set<ListedSession>()
  for (const session of sessions) {
    const shown = `${titleOf(session)} ${session.id} ${session.workingDirectory} ${shownState(session)}`
    if (!words.every((word) => shown.toLowerCase().includes(word))) continue
    // Upwards until one that is in the set already, or has no parent here.
    for (
      let each: ListedSession | undefined = session;
      each && !found.has(each);
      each = byId.get(each.parentId ?? '')
    )
      found.add(each)
  }
  return sessions.filter((session) => found.has(session))
}

/** The session and all below it, by id. Pure. */
export function familyOf(
  sessionId: string,
  sessions: readonly Pick<Session, 'id' | 'parentId'>[],
): ReadonlySet<string> {
  const family = new Set([sessionId])
  // A set that grows while it is walked: each session is visited once.
  for (const id of family) for (const session of sessions) if (session.parentId === id) family.add(session.id)
  return family
}
