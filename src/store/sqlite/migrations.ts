import type { Connection } from './connection/connection.ts'

/**
 * The database's versions: migration N (from 1) makes version N out of N - 1. A published migration never changes; new
 * migrations are added at the end.
 *
 * Columns are for values that are searched for or changed in place; the rest of a row is JSON. That is not only shorter: a
 * string with NUL or half a surrogate pair (a child can print that) is read back whole from JSON, but not from a column.
 * A `ref` is never used again, so that work that still runs for a removed session affects no other session.
 * A table that is read in the order of writing has `n` for it, because clocks jump.
 */
export const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE sessions (
    ref INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    name TEXT UNIQUE,
    owner TEXT NOT NULL,
    parent_id TEXT,
    status TEXT NOT NULL,
    last_seq INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    body TEXT NOT NULL
  ) STRICT;
  CREATE INDEX sessions_by_time ON sessions (updated_at, id);
  CREATE INDEX sessions_by_owner ON sessions (owner, updated_at, id);
  CREATE INDEX sessions_by_parent ON sessions (parent_id, updated_at, id) WHERE parent_id IS NOT NULL;

  CREATE TABLE events (
    session INTEGER NOT NULL REFERENCES sessions (ref) ON DELETE CASCADE,
    seq INTEGER NOT NULL,
    turn INTEGER NOT NULL,
    at INTEGER NOT NULL,
    payload TEXT NOT NULL,
    PRIMARY KEY (session, seq)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE runs (
    n INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    folder TEXT NOT NULL,
    "offset" INTEGER NOT NULL,
    started_at INTEGER NOT NULL,
    ended_at INTEGER
  ) STRICT;
  CREATE INDEX runs_of_session ON runs (session_id);
  CREATE INDEX runs_live ON runs (n) WHERE ended_at IS NULL;

  CREATE TABLE turns (
    session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    body TEXT NOT NULL,
    PRIMARY KEY (session_id, number)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE approvals (
    n INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    tool_use_id TEXT,
    status TEXT NOT NULL CHECK (status IN ('pending', 'allowed', 'denied', 'expired', 'withdrawn')),
    settled_at INTEGER,
    delivery TEXT NOT NULL CHECK (delivery IN ('none', 'sent', 'acknowledged')),
    settlement TEXT NOT NULL,
    question TEXT NOT NULL
  ) STRICT;
  CREATE INDEX approvals_of_session ON approvals (session_id, tool_use_id);
  CREATE INDEX approvals_by_status ON approvals (status, settled_at);

  CREATE TABLE readers (
    session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    seq INTEGER NOT NULL,
    PRIMARY KEY (session_id, name)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE nodes (
    n INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    parent_id TEXT,
    body TEXT NOT NULL
  ) STRICT;
  CREATE INDEX nodes_of_session ON nodes (session_id);
  CREATE INDEX nodes_by_parent ON nodes (parent_id) WHERE parent_id IS NOT NULL;

  CREATE TABLE grants (
    n INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    session_id TEXT NOT NULL REFERENCES sessions (id) ON DELETE CASCADE,
    body TEXT NOT NULL
  ) STRICT;
  CREATE INDEX grants_of_session ON grants (session_id);

  CREATE TABLE callers (
    n INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    token_hash TEXT NOT NULL UNIQUE,
    body TEXT NOT NULL
  ) STRICT;
  CREATE INDEX callers_by_name ON callers (kind, name);
  `,
  // 0.2.0: the tables are the same. It stores events that 0.1.0 cannot fold, so 0.1.0 must refuse the file and not fail.
  '-- events of 0.2.0',
  // The open questions of a session are read at each of its steps, whatever is open elsewhere.
  `CREATE INDEX approvals_pending ON approvals (session_id) WHERE status = 'pending'`,
  // The order of steps over all sessions. It refers to no session: a row may outlive its session, so that `n` is not reused.
  `CREATE TABLE feed (
    n INTEGER PRIMARY KEY,
    session INTEGER NOT NULL,
    last INTEGER NOT NULL,
    count INTEGER NOT NULL
  ) STRICT`,
  // What was spent when, for sums by day. It stays when a session is removed. What was spent before counts on one day each.
  `
  CREATE TABLE costs (
    n INTEGER PRIMARY KEY,
    session_id TEXT NOT NULL,
    owner TEXT NOT NULL,
    at INTEGER NOT NULL,
    usd REAL NOT NULL
  ) STRICT;
  CREATE INDEX costs_by_time ON costs (at, session_id, owner, usd);
  INSERT INTO costs (session_id, owner, at, usd)
    SELECT id, owner, updated_at, json_extract(body, '$.costUsd') FROM sessions
    WHERE json_extract(body, '$.costUsd') > 0;
  `,
  // What each device is notified of.
  `CREATE TABLE notices (
    n INTEGER PRIMARY KEY,
    device TEXT NOT NULL UNIQUE,
    body TEXT NOT NULL
  ) STRICT`,
  // The record refers to nothing, because it outlives all that it is about. The rows of a question are indexed with each
  // checkpoint: an index of the table itself would cost another page at each answer.
  `
  CREATE TABLE record (
    number INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    kind TEXT NOT NULL,
    body TEXT NOT NULL,
    previous TEXT NOT NULL,
    hash TEXT NOT NULL
  ) STRICT;
  CREATE TABLE record_checkpoints (
    size INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    note TEXT NOT NULL
  ) STRICT;
  CREATE TABLE record_questions (
    approval TEXT NOT NULL,
    number INTEGER NOT NULL,
    PRIMARY KEY (approval, number)
  ) STRICT, WITHOUT ROWID;
  `,
  // What was remembered with answers, as rules. `keeper` is the session with which a grant is removed; without one it outlives
  // all. `grantsAsRules` fills it from the table before.
  `
  CREATE TABLE granted (
    n INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    keeper TEXT REFERENCES sessions (id) ON DELETE CASCADE,
    wide INTEGER NOT NULL,
    ends INTEGER NOT NULL,
    ended_at INTEGER,
    body TEXT NOT NULL
  ) STRICT;
  CREATE INDEX granted_by_keeper ON granted (keeper);
  CREATE INDEX granted_wide ON granted (n) WHERE ended_at IS NULL AND wide = 1;
  CREATE INDEX granted_ending ON granted (n) WHERE ended_at IS NULL AND ends = 1;
  `,
  // Costs by model; and what removed sessions have spent, for the budgets of the sessions above them.
  `
  ALTER TABLE costs ADD COLUMN model TEXT NOT NULL DEFAULT '';
  ALTER TABLE costs ADD COLUMN tokens INTEGER NOT NULL DEFAULT 0;
  CREATE TABLE removed (
    id TEXT PRIMARY KEY,
    parent_id TEXT NOT NULL,
    body TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX removed_below ON removed (parent_id);
  `,
  // The rows of a session, indexed in the same way.
  `
  CREATE TABLE record_sessions (
    session TEXT NOT NULL,
    number INTEGER NOT NULL,
    PRIMARY KEY (session, number)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO record_sessions (session, number)
    SELECT json_extract(body, '$.session'), number FROM record
    WHERE number <= (SELECT coalesce(max(size), 0) FROM record_checkpoints)
      AND json_extract(body, '$.session') IS NOT NULL;
  `,
]

/** What SQL alone cannot do, by the version that it belongs to: it runs after the migration to that version. */
export const CONVERSIONS: ReadonlyMap<number, Conversion> = new Map([
  [
    8,
    {
      // A new database has nothing to convert, and this loads more code than all else that opening one takes.
      load: async () => (await import('./grants-as-rules.ts')).grantsAsRules,
      after: 'DROP TABLE grants',
    },
  ],
])

interface Conversion {
  readonly load: () => Promise<(db: Connection) => void>
  /** The SQL that ends it, also where there was nothing to convert. */
  readonly after: string
}
