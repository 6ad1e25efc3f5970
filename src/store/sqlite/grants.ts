import type { Grant, GrantStore } from '../../approvals/grant.ts'
import type { Connection } from './connection.ts'

export function sqliteGrants(db: Connection): GrantStore {
  return {
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

function grantOf({ body }: { body: string }): Grant {
  return JSON.parse(body)
}
