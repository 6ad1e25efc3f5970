import { AppError } from '../../base/errors.ts'
import { Connection } from './connection/connection.ts'
import { openDatabase } from './connection/database.ts'
import { appErrorOf } from './connection/sqlite-errors.ts'
import { requireKnownVersion } from './migrate.ts'
import { MIGRATIONS } from './migrations.ts'

/** Reads a database that a hub may be writing to: what is wrong with it and what to do, or undefined if it is sound. */
export function checkDatabaseFile(path: string, { whole }: { whole: boolean }): string | undefined {
  try {
    const connection = new Connection(openDatabase(path, { readOnly: true }), path)
    try {
      requireKnownVersion(connection, path, MIGRATIONS.length)
      const rows: { quick_check: string }[] = whole ? connection.all('PRAGMA quick_check(1)') : []
      const [fault] = rows.map(({ quick_check }) => quick_check).filter((said) => said !== 'ok')
      return fault === undefined ? undefined : damaged(path, fault)
    } finally {
      connection.close()
    }
  } catch (error) {
    const known = appErrorOf(error, path)
    if (known instanceof AppError) return known.message
    throw error
  }
}

function damaged(path: string, fault: string): string {
  return `${path} is damaged (${fault.split('\n')[0]}); put a backup in its place or move it away.`
}
