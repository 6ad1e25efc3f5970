import type { CostStore, RemovedSession } from '../../../sessions/record/session-store.ts'
import type { SessionKey } from '../../../base/ids.ts'
import type { CostOfModel } from '../../../sessions/spending/model-costs.ts'
import type { Connection } from '../connection/connection.ts'

export function sqliteCosts(db: Connection): CostStore {
  return {
    between: async (from, until) =>
      db.all(
        `SELECT session_id AS sessionId, owner, model, sum(usd) AS usd, sum(tokens) AS tokens FROM costs
         WHERE at >= ? AND at < ? GROUP BY session_id, owner, model`,
        [from, until],
      ),
    removeBefore: async (time) => void db.run('DELETE FROM costs WHERE at < ?', [time]),
    removedBelow: async (parentIds) =>
      db
        .all('SELECT body FROM removed WHERE parent_id IN (SELECT value FROM json_each(?)) ORDER BY id', [
          JSON.stringify(parentIds),
        ])
        .map(({ body }: { body: string }): RemovedSession => JSON.parse(body)),
  }
}

export function addCost(db: Connection, sessionId: SessionKey, at: number, cost: CostOfModel): void {
  const { model, usd, tokens } = cost
  db.run(
    `INSERT INTO costs (session_id, owner, at, model, usd, tokens)
     SELECT id, owner, ?, ?, ?, ? FROM sessions WHERE id = ?`,
    [at, model, usd, tokens, sessionId],
  )
}

/**
 * Before a session is deleted, in the same transaction. What it has spent stays for those above it; below a topmost session that
 * is removed nothing is kept.
 */
export function keepSpending(db: Connection, id: SessionKey): void {
  const row: { body: string } | undefined = db.get(
    `SELECT body FROM sessions WHERE id = ? AND (parent_id IN (SELECT id FROM sessions)
       OR parent_id IN (SELECT id FROM removed))`,
    [id],
  )
  if (row) {
    const { parentId, model, costUsd, spent }: RemovedSession = JSON.parse(row.body)
    const kept = JSON.stringify({ id, parentId, model, costUsd, spent })
    db.run('INSERT OR REPLACE INTO removed (id, parent_id, body) VALUES (?, ?, ?)', [
      id,
      parentId ?? '',
      kept,
    ])
    return
  }
  db.run(
    `DELETE FROM removed WHERE id IN (
       WITH RECURSIVE below (id) AS (
         SELECT id FROM removed WHERE parent_id = ?
         UNION SELECT removed.id FROM removed JOIN below ON removed.parent_id = below.id)
       SELECT id FROM below)`,
    [id],
  )
}
