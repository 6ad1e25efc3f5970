import type { Session } from '../../../src/sessions/record/session.ts'
import { STATE_ORDER, stateWord } from '../../../src/command-line/views/session-words.ts'

export interface SessionRow {
  readonly session: Session
  readonly depth: number
}

/** The sessions as rows of a tree: what needs the person first, those below right after the one that started them. Pure. */
export function sessionRows(sessions: readonly Session[]): SessionRow[] {
  const ids = new Set(sessions.map(({ id }) => id))
  const below = new Map<string | undefined, Session[]>()
  for (const session of sessions) {
    const parent = session.parentId !== undefined && ids.has(session.parentId) ? session.parentId : undefined
    below.set(parent, [...(below.get(parent) ?? []), session])
  }
  const rowsOf = (parent: string | undefined, depth: number): SessionRow[] =>
    (below.get(parent) ?? [])
      .toSorted((a, b) => urgency(a, below) - urgency(b, below) || b.updatedAt - a.updatedAt)
      .flatMap((session) => [{ session, depth }, ...rowsOf(session.id, depth + 1)])
  return rowsOf(undefined, 0)
}

/** A session is as urgent as the most urgent one below it. */
function urgency(session: Session, below: ReadonlyMap<string | undefined, readonly Session[]>): number {
  const own = STATE_ORDER.indexOf(stateWord(session))
  return Math.min(own, ...(below.get(session.id) ?? []).map((child) => urgency(child, below)))
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
