import type { ReaderStore } from '../../../events/reader-store.ts'
import type { Connection } from '../connection/connection.ts'
import { inSession } from './sessions.ts'

interface Row {
  seq: number
}

export function sqliteReaders(db: Connection): ReaderStore {
  return {
    get: async (sessionId, name) => {
      const row: Row | undefined = db.get('SELECT seq FROM readers WHERE session_id = ? AND name = ?', [
        sessionId,
        name,
      ])
      return row?.seq ?? 0
    },
    advance: async (sessionId, name, seq) =>
      void inSession(sessionId, () =>
        db.run(
          `INSERT INTO readers (session_id, name, seq) VALUES (?, ?, ?)
           ON CONFLICT (session_id, name) DO UPDATE SET seq = max(seq, excluded.seq)`,
          [sessionId, name, seq],
        ),
      ),
    move: async (sessionId, name, { from, to }) =>
      inSession(
        sessionId,
        () =>
          db.run(
            `INSERT INTO readers (session_id, name, seq) VALUES (?, ?, ?)
             ON CONFLICT (session_id, name) DO UPDATE SET seq = excluded.seq WHERE seq = ?`,
            [sessionId, name, to, from],
          ) === 1,
      ),
  }
}
