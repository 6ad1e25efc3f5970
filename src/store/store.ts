import type { ApprovalStore } from '../approvals/approval-store.ts'
import type { GrantStore } from '../approvals/grant.ts'
import type { CallerStore } from '../callers/caller.ts'
import type { EventLog } from '../events/event-log.ts'
import type { ReaderStore } from '../events/reader-store.ts'
import type { Journal } from '../sessions/journal.ts'
import type { RunStore, SessionStore, TurnStore } from '../sessions/session-store.ts'
import type { NodeStore } from '../tree/tree-node.ts'

/** Everything that is remembered. One writer. */
export interface Store {
  readonly sessions: SessionStore
  readonly runs: RunStore
  readonly turns: TurnStore
  readonly journal: Journal
  readonly events: EventLog
  readonly approvals: ApprovalStore
  readonly grants: GrantStore
  readonly readers: ReaderStore
  readonly nodes: NodeStore
  readonly callers: CallerStore
  close(): Promise<void>
}
