import type { CallerRecord, CallerStore } from '../../../callers/caller.ts'
import { tokenTakenError } from '../../store-errors.ts'
import type { Connection } from '../connection/connection.ts'

export function sqliteCallers(db: Connection): CallerStore {
  // A cache, because every request needs its caller; nothing else writes this table.
  const byToken = new Map<string, CallerRecord>()
  const select = (condition: string, ...values: string[]) =>
    db.all(`SELECT body FROM callers ${condition}`, values).map(callerOf)
  return {
    put: async (caller) => {
      if (select('WHERE token_hash = ? AND id <> ?', caller.tokenHash, caller.id).length > 0)
        throw tokenTakenError()
      byToken.clear()
      db.run(
        `INSERT INTO callers (id, kind, name, token_hash, body) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT (id) DO UPDATE SET kind = excluded.kind, name = excluded.name,
           token_hash = excluded.token_hash, body = excluded.body`,
        [caller.id, caller.kind, caller.name, caller.tokenHash, JSON.stringify(caller)],
      )
    },
    byTokenHash: async (hash) => {
      const caller = byToken.get(hash) ?? select('WHERE token_hash = ?', hash)[0]
      if (caller) byToken.set(hash, caller)
      return caller
    },
    list: async (kind) => select('WHERE kind = ? ORDER BY n', kind),
    byName: async (kind, name) =>
      select('WHERE kind = ? AND name = ? ORDER BY n DESC LIMIT 1', kind, name)[0],
  }
}

function callerOf({ body }: { body: string }): CallerRecord {
  return JSON.parse(body)
}
