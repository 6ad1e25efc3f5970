import type { Turn } from '../../../sessions/record/session.ts'
import type { TurnStore } from '../../../sessions/record/session-store.ts'
import type { Connection } from '../connection/connection.ts'

const SELECT = 'SELECT body FROM turns WHERE session_id = ?'

export function sqliteTurns(db: Connection): TurnStore {
  return {
    get: async (sessionId, number) => db.all(`${SELECT} AND number = ?`, [sessionId, number]).map(turnOf)[0],
    list: async (sessionId) => db.all(`${SELECT} ORDER BY number`, [sessionId]).map(turnOf),
  }
}

export function putTurn(db: Connection, turn: Turn): void {
  db.run(
    `INSERT INTO turns (session_id, number, body) VALUES (?, ?, ?)
     ON CONFLICT (session_id, number) DO UPDATE SET body = excluded.body`,
    [turn.sessionId, turn.number, JSON.stringify(turn)],
  )
}

function turnOf({ body }: { body: string }): Turn {
  return JSON.parse(body)
}
