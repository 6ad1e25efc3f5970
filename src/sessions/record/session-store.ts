import type { Run, Session, SessionStatus, Turn } from './session.ts'

/** Port. Ids are unique; a name that is taken is `in_use`. */
export interface SessionStore {
  /** Stores `lastSeq` as 0, whatever is given. */
  create(session: Session): Promise<void>
  get(id: string): Promise<Session | undefined>
  byName(name: string): Promise<Session | undefined>
  /** At most `limit` sessions whose id begins with this text. */
  byIdPrefix(prefix: string, limit: number): Promise<Session[]>
  /** Newest first by `updatedAt`; `before` is the last row of the page before. */
  list(filter: SessionFilter): Promise<Session[]>
  countByStatus(): Promise<Record<SessionStatus, number>>
  /** An unknown session is `not_found`. */
  rename(id: string, name: string | undefined): Promise<void>
  /** Removes it with everything that belongs to it: runs, turns, events, approvals, readers, nodes, grants. */
  remove(id: string): Promise<void>
}

export interface SessionFilter {
  readonly owner?: string | undefined
  readonly parentId?: string | undefined
  readonly status?: readonly SessionStatus[] | undefined
  readonly before?: { readonly updatedAt: number; readonly id: string } | undefined
  readonly limit: number
}

export interface RunStore {
  get(id: string): Promise<Run | undefined>
  /** All runs that have not ended: a new hub adopts them. */
  live(): Promise<Run[]>
  ofSession(sessionId: string): Promise<Run[]>
}

export interface TurnStore {
  get(sessionId: string, number: number): Promise<Turn | undefined>
  /** In order. */
  list(sessionId: string): Promise<Turn[]>
}
