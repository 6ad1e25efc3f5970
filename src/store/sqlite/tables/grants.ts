import {
  type Grant,
  type GrantEnd,
  type GrantStore,
  isWide,
  keeperOf,
} from '../../../approvals/grants/grant.ts'
import type { GrantKey } from '../../../base/ids.ts'
import type { Connection } from '../connection/connection.ts'
import { appendRows, type RecordNews } from './record.ts'

const CURRENT = 'SELECT body FROM granted WHERE ended_at IS NULL'

export function sqliteGrants(db: Connection, news: RecordNews): GrantStore {
  const found = (sql: string, values: readonly string[] = []) =>
    db.all(`${sql} ORDER BY n`, [...values]).map(grantOf)
  return {
    current: async () => found(CURRENT),
    wide: async () => found(`${CURRENT} AND wide = 1`),
    ofSession: async (id) => found(`${CURRENT} AND keeper = ? AND wide = 0`, [id]),
    ending: async () => found(`${CURRENT} AND ends = 1`),
    ended: async (limit) =>
      db
        .all('SELECT body FROM granted WHERE ended_at IS NOT NULL ORDER BY ended_at DESC, n DESC LIMIT ?', [
          limit,
        ])
        .map(grantOf),
    get: async (id) => {
      const row: Row | undefined = db.get('SELECT body FROM granted WHERE id = ?', [id])
      return row && grantOf(row)
    },
    end: async (id, end, recorded) => {
      const { ended, rows } = db.transaction(() => {
        const ends = endGrant(db, id, end)
        return { ended: ends, rows: appendRows(db, ends && recorded ? [recorded] : []) }
      })
      news.added(rows)
      return ended
    },
    removeEndedBefore: async (time) => void db.run('DELETE FROM granted WHERE ended_at < ?', [time]),
  }
}

/** Inside a transaction. */
export function addGrant(db: Connection, grant: Grant): void {
  db.run(
    `INSERT INTO granted (id, keeper, wide, ends, body) VALUES (?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING`,
    [
      grant.id,
      keeperOf(grant) ?? null,
      isWide(grant) ? 1 : 0,
      grant.scope === 'turn' || grant.endsAt !== undefined ? 1 : 0,
      JSON.stringify(grant),
    ],
  )
}

/** Changed in JSON, not in SQL, because there a string stays whole whatever is in it. */
export function endGrant(db: Connection, id: GrantKey, ended: GrantEnd): boolean {
  const row: Row | undefined = db.get('SELECT body FROM granted WHERE id = ? AND ended_at IS NULL', [id])
  if (!row) return false
  const body = JSON.stringify({ ...grantOf(row), ended })
  return db.run('UPDATE granted SET ended_at = ?, body = ? WHERE id = ?', [ended.at, body, id]) > 0
}

interface Row {
  body: string
}

function grantOf({ body }: Row): Grant {
  return JSON.parse(body)
}
