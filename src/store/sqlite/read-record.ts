import type { RecordStore } from '../../audit/record-store.ts'
import { AppError } from '../../base/errors.ts'
import { Connection } from './connection/connection.ts'
import { openDatabase } from './connection/database.ts'
import { appErrorOf } from './connection/sqlite-errors.ts'
import { requireKnownVersion } from './migrate.ts'
import { MIGRATIONS } from './migrations.ts'
import { RecordNews, sqliteRecord } from './tables/record.ts'

/**
 * Reads the record of a database file that a hub may be writing to. All that is read is of one moment: a read transaction lasts
 * as long as the work.
 */
export async function readRecordFile<T>(
  path: string,
  work: (record: Pick<RecordStore, 'read' | 'checkpoints' | 'head'>) => Promise<T>,
): Promise<T> {
  const connection = connectionTo(path)
  try {
    requireKnownVersion(connection, path, MIGRATIONS.length)
    if (!connection.get(`SELECT 1 FROM sqlite_schema WHERE name = 'record'`))
      throw new AppError(
        'invalid_input',
        `${path} has no record yet: an earlier Plexus wrote it. It gets one when a hub opens it.`,
      )
    connection.exec('BEGIN')
    return await work(sqliteRecord(connection, new RecordNews()))
  } finally {
    connection.close()
  }
}

function connectionTo(path: string): Connection {
  try {
    return new Connection(openDatabase(path, { readOnly: true }), path)
  } catch (error) {
    throw appErrorOf(error, path)
  }
}
