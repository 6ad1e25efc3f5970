import type { SessionKey } from '../../../base/ids.ts'
import type { Grant, GrantStore } from '../../../approvals/grants/grant.ts'
import type { Connection } from '../connection/connection.ts'

export function sqliteGrants(db: Connection): GrantStore {
  return {
    all: async () => db.all('SELECT body FROM grants ORDER BY n').map(grantOf),
    ofSession: async (sessionId) =>
      db.all('SELECT body FROM grants WHERE session_id = ? ORDER BY n', [sessionId]).map(grantOf),
    remove: async (id) => db.run('DELETE FROM grants WHERE id = ?', [id]) > 0,
  }
}

export function addGrant(db: Connection, grant: Grant): void {
  db.run('INSERT INTO grants (id, session_id, body) VALUES (?, ?, ?) ON CONFLICT (id) DO NOTHING', [
    grant.id,
    grant.sessionId,
    JSON.stringify(grant),
  ])
}

/** Changed in JSON, not in SQL, because there a string stays whole whatever is in it. */
export function narrowGrant(
  db: Connection,
  sessionId: SessionKey,
  { id, rule }: Pick<Grant, 'id' | 'rule'>,
): void {
  const row: { body: string } | undefined = db.get(
    'SELECT body FROM grants WHERE id = ? AND session_id = ?',
    [id, sessionId],
  )
  if (row) db.run('UPDATE grants SET body = ? WHERE id = ?', [JSON.stringify({ ...grantOf(row), rule }), id])
}

function grantOf({ body }: { body: string }): Grant {
  return JSON.parse(body)
}
