import type { RecordStore } from '../../audit/record-store.ts'
import type { ApprovalStore } from '../../approvals/approval-store.ts'
import type { GrantStore } from '../../approvals/grants/grant.ts'
import type { CallerStore } from '../../callers/caller.ts'
import type { EventFeed } from '../../events/event-feed.ts'
import type { EventLog } from '../../events/event-log.ts'
import type { ReaderStore } from '../../events/reader-store.ts'
import type { Journal } from './journal.ts'
import type { CostStore, RunStore, SessionStore, TurnStore } from './session-store.ts'
import type { NoticeStore } from '../../notices/notice-settings.ts'
import type { NodeStore } from '../../tree/tree-node.ts'

/**
 * Everything that is stored. It has one writer: the hub of a home folder. `test/contracts/` says what a store must do. Notes
 * for the author of another store:
 *
 * - `journal.append` is one transaction, and steps of one session follow each other. SQLite has that for free, because
 *   nothing waits inside a step. Where it does, lock the session's row first (`UPDATE … last_seq … RETURNING`): it gives
 *   the seqs, a rollback gives them back, and a sequence or `max(seq) + 1` would do neither.
 * - Who settles an approval is decided by one `UPDATE … WHERE status = 'pending'` and the number of its rows. At
 *   `READ COMMITTED` the loser waits for the winner, changes no row and then reads the current row; at a stricter
 *   level it gets a serialisation error instead and has to retry.
 * - A step that is not `durable` may be lost with the power, never with the process, and never with a later
 *   durable one kept (`synchronous_commit` off and on have that order too).
 * - "In the order of opening, adding, …" is the order of commits, not of clocks.
 * - Strings are a child's: they hold NUL and halves of characters. JSON as text keeps both; a text column of SQLite is
 *   read only up to NUL on some Nodes, and Postgres takes neither NUL in `text` nor `\u0000` in `jsonb`: use `json`.
 * - Times, seqs and offsets are numbers: `pg` gives `bigint` and `count(*)` as strings.
 * - No row is shared with the caller: a returned row may be changed without changing the stored row.
 * - Rows of a session need the session: a write for an unknown session is `not_found`. A parent, of a session or
 *   of a node, may be gone.
 * - An error is a sentence: `storage_full`, `busy` or `internal`, and the store works again when its cause is gone.
 */
export interface Store {
  readonly sessions: SessionStore
  readonly runs: RunStore
  readonly turns: TurnStore
  readonly journal: Journal
  readonly events: EventLog
  readonly feed: EventFeed
  readonly approvals: ApprovalStore
  readonly grants: GrantStore
  readonly readers: ReaderStore
  readonly nodes: NodeStore
  readonly callers: CallerStore
  readonly notices: NoticeStore
  readonly costs: CostStore
  readonly record: RecordStore
  /** Returns the space of removed rows to the system, a little at a time. */
  shrink(): Promise<void>
  close(): Promise<void>
}
