import type { RecordEntry } from '../../audit/record-row.ts'
import type { CallerKey, RunKey, SessionKey } from '../../base/ids.ts'
import type { CostOfModel } from '../spending/model-costs.ts'
import type { Run, Session, SessionStatus, Turn } from './session.ts'

/** Port. Ids are unique; a name that is taken is `in_use`. */
export interface SessionStore {
  /** Stores `lastSeq` as 0, whatever is given. What is to be recorded is stored in the same transaction, here and below. */
  create(session: Session, recorded?: RecordEntry): Promise<void>
  get(id: SessionKey): Promise<Session | undefined>
  byName(name: string): Promise<Session | undefined>
  /** At most `limit` sessions whose id begins with this text. */
  byIdPrefix(prefix: string, limit: number): Promise<Session[]>
  /** Newest first by `updatedAt`; `before` is the last row of the page before. */
  list(filter: SessionFilter): Promise<Session[]>
  countByStatus(): Promise<Record<SessionStatus, number>>
  /** An unknown session is `not_found`. */
  rename(id: SessionKey, name: string | undefined): Promise<void>
  /**
   * Removes it with everything that belongs to it: runs, turns, events, approvals, readers, nodes, grants. What it has spent is
   * kept for the sessions above it (`CostStore.removedBelow`), until the topmost of them is removed.
   */
  remove(id: SessionKey, recorded?: RecordEntry): Promise<void>
}

export interface SessionFilter {
  readonly owner?: CallerKey | undefined
  /** With `owner`: also the conversations of terminals, whoever owns them. */
  readonly orTerminal?: boolean | undefined
  readonly parentId?: SessionKey | undefined
  readonly status?: readonly SessionStatus[] | undefined
  readonly before?: { readonly updatedAt: number; readonly id: SessionKey } | undefined
  readonly limit: number
}

export interface RunStore {
  get(id: RunKey): Promise<Run | undefined>
  /** All runs that have not ended: a new hub adopts them. */
  live(): Promise<Run[]>
  ofSession(sessionId: SessionKey): Promise<Run[]>
}

export interface TurnStore {
  get(sessionId: SessionKey, number: number): Promise<Turn | undefined>
  /** In order. */
  list(sessionId: SessionKey): Promise<Turn[]>
}

/** What a session cost in some time with one model, in US dollars and tokens. The model is empty where none is known. */
export interface SessionSum extends CostOfModel {
  readonly sessionId: SessionKey
  readonly owner: CallerKey
}

/** What is kept of a session below another one when it is removed: what it has spent. */
export type RemovedSession = Pick<Session, 'id' | 'parentId' | 'model' | 'costUsd' | 'spent'>

/** Port. Costs are added by steps of their session, and stay when it is removed. */
export interface CostStore {
  /** The sum of each session and model from `from` up to, and without, `until`. */
  between(from: number, until: number): Promise<SessionSum[]>
  removeBefore(time: number): Promise<void>
  /** The removed sessions right below these sessions, which may be removed themselves. */
  removedBelow(parentIds: readonly SessionKey[]): Promise<RemovedSession[]>
}
