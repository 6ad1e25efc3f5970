import type { Store } from '../../sessions/record/store.ts'
import { sqliteApprovals } from './tables/approvals.ts'
import { sqliteCallers } from './tables/callers.ts'
import { Connection } from './connection/connection.ts'
import { type Database, openDatabase } from './connection/database.ts'
import { sqliteCosts } from './tables/costs.ts'
import { sqliteEvents } from './tables/events.ts'
import { sqliteFeed } from './tables/feed.ts'
import { appErrorOf } from './connection/sqlite-errors.ts'
import { sqliteGrants } from './tables/grants.ts'
import { sqliteJournal } from './journal.ts'
import { migrate } from './migrate.ts'
import { MIGRATIONS } from './migrations.ts'
import { sqliteNotices } from './tables/notices.ts'
import { sqliteNodes } from './tables/nodes.ts'
import { ensurePrivateFile } from './connection/database-file.ts'
import { RecordNews, sqliteRecord } from './tables/record.ts'
import { sqliteReaders } from './tables/readers.ts'
import { RecentSteps } from './tables/recent/recent-steps.ts'
import { RecentEvents } from './tables/recent/recent-events.ts'
import { RecentSessions } from './tables/recent/recent-sessions.ts'
import { sqliteRuns } from './tables/runs.ts'
import { sqliteSessions } from './tables/sessions.ts'
import { shrink } from './shrink.ts'
import { sqliteTurns } from './tables/turns.ts'

export interface SqliteOptions {
  /** Other migrations than `MIGRATIONS`, for tests. */
  readonly migrations?: readonly string[]
  /** How long a statement waits for another process that holds the database. */
  readonly busyTimeoutMs?: number
  /** How many of the newest events of each session with a process are kept in memory too. */
  readonly recentEvents?: number
}

/** The folder of `path` must exist and be private. */
export async function openSqliteStore(path: string, options: SqliteOptions = {}): Promise<Store> {
  const connection = await connectionTo(path, options)
  const recent = {
    sessions: new RecentSessions(),
    events: new RecentEvents(options.recentEvents ?? 500),
    steps: new RecentSteps(),
  }
  const events = sqliteEvents(connection, recent.events)
  const news = new RecordNews()
  return {
    sessions: sqliteSessions(connection, recent, news),
    runs: sqliteRuns(connection),
    turns: sqliteTurns(connection),
    journal: sqliteJournal(connection, recent, news),
    events,
    feed: sqliteFeed(connection, events, recent.steps),
    approvals: sqliteApprovals(connection, news),
    grants: sqliteGrants(connection, news),
    readers: sqliteReaders(connection),
    nodes: sqliteNodes(connection),
    callers: sqliteCallers(connection),
    notices: sqliteNotices(connection),
    costs: sqliteCosts(connection),
    record: sqliteRecord(connection, news),
    shrink: () => shrink(connection),
    close: async () => connection.close(),
  }
}

async function connectionTo(path: string, options: SqliteOptions): Promise<Connection> {
  ensurePrivateFile(path)
  const connection = new Connection(databaseAt(path), path)
  try {
    connection.exec(`
      PRAGMA busy_timeout = ${options.busyTimeoutMs ?? 5000};
      PRAGMA auto_vacuum = INCREMENTAL; -- counts for a new file only
      PRAGMA journal_mode = WAL;
      PRAGMA synchronous = NORMAL;
      PRAGMA fullfsync = ON; -- on macOS a plain sync leaves the data in the drive's own memory
      PRAGMA wal_autocheckpoint = 4000; -- in pages; more of them are written anew before they are copied into the file
      PRAGMA journal_size_limit = ${64 * 1024 * 1024}`)
    await migrate(connection, path, options.migrations ?? MIGRATIONS)
    connection.exec('PRAGMA foreign_keys = ON')
    return connection
  } catch (error) {
    connection.close()
    throw error
  }
}

function databaseAt(path: string): Database {
  try {
    return openDatabase(path)
  } catch (error) {
    throw appErrorOf(error, path)
  }
}
