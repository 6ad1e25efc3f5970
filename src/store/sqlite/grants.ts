import type { Grant, GrantStore } from '../../approvals/grant.ts'
import { idTaken } from '../refusals.ts'
import type { Connection } from './connection.ts'
import { inSession } from './sessions.ts'

export function sqliteGrants(db: Connection): GrantStore {
  return {
    add: async (grant) => {
      const added = inSession(grant.sessionId, () =>
        db.run('INSERT INTO grants (id, session_id, body) VALUES (?, ?, ?) ON CONFLICT (id) DO NOTHING', [
          grant.id,
          grant.sessionId,
          JSON.stringify(grant),
        ]),
      )
      if (added === 0) throw idTaken('grant')
    },
    ofSession: async (sessionId) =>
      db.all('SELECT body FROM grants WHERE session_id = ? ORDER BY n', [sessionId]).map(grantOf),
    remove: async (id) => db.run('DELETE FROM grants WHERE id = ?', [id]) > 0,
  }
}

function grantOf({ body }: { body: string }): Grant {
  return JSON.parse(body)
}
