import { definedFields } from '../../../base/defined-fields.ts'
import type { Run } from '../../../sessions/record/session.ts'
import type { RunStore } from '../../../sessions/record/session-store.ts'
import type { Connection } from '../connection/connection.ts'

type Row = Omit<Run, 'endedAt'> & { endedAt: number | null }

const SELECT = `SELECT id, session_id AS sessionId, folder, "offset", started_at AS startedAt, ended_at AS endedAt
  FROM runs`
const MOVE = `UPDATE runs SET "offset" = ?
  WHERE id = ? AND session_id = ? AND folder = ? AND started_at = ? AND ended_at IS NULL`

export function sqliteRuns(db: Connection): RunStore {
  return {
    get: async (id) => db.all(`${SELECT} WHERE id = ?`, [id]).map(runOf)[0],
    live: async () => db.all(`${SELECT} WHERE ended_at IS NULL ORDER BY n`).map(runOf),
    ofSession: async (sessionId) =>
      db.all(`${SELECT} WHERE session_id = ? ORDER BY n`, [sessionId]).map(runOf),
  }
}

export function putRun(db: Connection, run: Run): void {
  // Usually only the offset has moved; to set an indexed column rewrites the index, even if the value is the same.
  const { id, sessionId, folder, offset, startedAt, endedAt } = run
  if (endedAt === undefined && db.run(MOVE, [offset, id, sessionId, folder, startedAt]) > 0) return
  db.run(
    `INSERT INTO runs (id, session_id, folder, "offset", started_at, ended_at) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET session_id = excluded.session_id, folder = excluded.folder,
       "offset" = excluded."offset", started_at = excluded.started_at, ended_at = excluded.ended_at`,
    [id, sessionId, folder, offset, startedAt, endedAt ?? null],
  )
}

function runOf({ endedAt, ...run }: Row): Run {
  return { ...run, ...definedFields({ endedAt }) }
}
