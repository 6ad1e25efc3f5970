import { openDatabase } from '../../../src/store/sqlite/connection/database.ts'

/**
 * Deletes the oldest events in the database of a store that is open: what a reader finds while a session is removed, slice by
 * slice. The session must have no process, because the store has the newest events of such a session in memory too.
 */
export function deleteEventsBefore(path: string, sessionId: string, seq: number): void {
  const database = openDatabase(path)
  database
    .prepare('DELETE FROM events WHERE session = (SELECT ref FROM sessions WHERE id = ?) AND seq < ?')
    .run(sessionId, seq)
  database.close()
}
