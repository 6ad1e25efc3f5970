import type { CostStore } from '../../../sessions/record/session-store.ts'
import type { SessionKey } from '../../../base/ids.ts'
import type { Connection } from '../connection/connection.ts'

export function sqliteCosts(db: Connection): CostStore {
  return {
    between: async (from, until) =>
      db.all(
        `SELECT session_id AS sessionId, owner, sum(usd) AS usd FROM costs
         WHERE at >= ? AND at < ? GROUP BY session_id, owner`,
        [from, until],
      ),
    removeBefore: async (time) => void db.run('DELETE FROM costs WHERE at < ?', [time]),
  }
}

export function addCost(db: Connection, sessionId: SessionKey, at: number, usd: number): void {
  db.run('INSERT INTO costs (session_id, owner, at, usd) SELECT id, owner, ?, ? FROM sessions WHERE id = ?', [
    at,
    usd,
    sessionId,
  ])
}
