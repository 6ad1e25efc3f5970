import type { RecordRow } from '../../audit/record-row.ts'
import type { StoredCheckpoint } from '../../audit/record-store.ts'
import type { SessionId } from '../../base/ids.ts'
import type { Approval } from '../../approvals/approval.ts'
import type { Grant } from '../../approvals/grants/grant.ts'
import type { CallerRecord } from '../../callers/caller.ts'
import type { NoticeSettings } from '../../notices/notice-settings.ts'
import type { RemovedSession, SessionSum } from '../../sessions/record/session-store.ts'
import type { Run, Session, Turn } from '../../sessions/record/session.ts'
import type { TreeNode } from '../../tree/tree-node.ts'
import { noSessionError } from '../store-errors.ts'

/** The rows by id. A map iterates in the order of first insertion. */
export interface Tables {
  readonly sessions: Map<string, Session>
  readonly runs: Map<string, Run>
  readonly approvals: Map<string, Approval>
  readonly grants: Map<string, Grant>
  readonly nodes: Map<string, TreeNode>
  readonly callers: Map<string, CallerRecord>
  readonly notices: Map<string, NoticeSettings>
  /** The following by session id. */
  readonly turns: Map<string, Map<number, Turn>>
  readonly readers: Map<string, Map<string, number>>
  readonly events: Map<string, EventRow[]>
  /** Every step with events, oldest first. */
  readonly feed: FeedRow[]
  /** Kept when their session is removed. */
  readonly costs: CostRow[]
  readonly removed: Map<string, RemovedSession>
  readonly record: RecordRow[]
  readonly checkpoints: StoredCheckpoint[]
  readonly recordListeners: Set<() => void>
}

interface FeedRow {
  readonly sessionId: SessionId
  readonly last: number
  readonly count: number
}

interface CostRow extends SessionSum {
  readonly at: number
}

/** The event is stored as JSON, so that no caller can change it. */
interface EventRow {
  readonly seq: number
  readonly turn: number
  readonly at: number
  readonly payload: string
}

export function emptyTables(): Tables {
  return {
    sessions: new Map(),
    runs: new Map(),
    approvals: new Map(),
    grants: new Map(),
    nodes: new Map(),
    callers: new Map(),
    notices: new Map(),
    turns: new Map(),
    readers: new Map(),
    events: new Map(),
    feed: [],
    costs: [],
    removed: new Map(),
    record: [],
    checkpoints: [],
    recordListeners: new Set(),
  }
}

/** Copies a row as a database would: a separate value with only what JSON keeps. */
export function copyOf<T>(row: T): T {
  return row === undefined ? row : JSON.parse(JSON.stringify(row))
}

export function copiesOf<T>(rows: Iterable<T>, keep: (row: T) => boolean = () => true): T[] {
  return [...rows].filter(keep).map(copyOf)
}

export function sessionIn(tables: Tables, id: string): Session {
  const session = tables.sessions.get(id)
  if (!session) throw noSessionError(id)
  return session
}
