import { open, rename, rm } from 'node:fs/promises'
import { AppError } from '../../base/errors.ts'
import type { Connection } from './connection/connection.ts'
import { createPrivateFile, unusable } from './connection/database-file.ts'
import { letShrink } from './shrink.ts'

/**
 * Brings the database to the newest version, in one transaction, so that nothing is ever half migrated. What was there
 * before is kept beside it.
 */
export async function migrate(
  connection: Connection,
  path: string,
  migrations: readonly string[],
): Promise<void> {
  const version = versionOf(connection)
  const newest = migrations.length
  if (version > newest) {
    // The caller pointed an old program at a new file: another file or another program helps.
    throw new AppError(
      'invalid_input',
      `${path} was written by a newer Plexus (version ${version}, this one knows ${newest}); update Plexus, or use another home folder.`,
    )
  }
  if (version === 0 && connection.get('SELECT 1 FROM sqlite_schema')) {
    throw new AppError(
      'invalid_input',
      `${path} is a database of another program; move it away, or use another home folder.`,
    )
  }
  if (version === newest) return
  if (version > 0) await backUp(connection, path, version)
  // A table is changed by dropping it for a copy, and that would take with it all that refers to it. The switch has no
  // effect inside a transaction.
  connection.exec('PRAGMA foreign_keys = OFF')
  connection.transaction(() => {
    for (const sql of migrations.slice(version)) connection.exec(sql)
    const astray: unknown[] = connection.all('PRAGMA foreign_key_check')
    if (astray.length > 0) {
      throw new AppError('internal', `${path} could not be brought up to date; use the Plexus that wrote it.`)
    }
    connection.exec(`PRAGMA user_version = ${newest}`)
  })
  if (version > 0) letShrink(connection)
}

function versionOf(connection: Connection): number {
  const row: { user_version: number } = connection.get('PRAGMA user_version')
  return row.user_version
}

/** Whole before it gets its name, so that a crash in between leaves no backup that is half of one. */
async function backUp(connection: Connection, path: string, version: number): Promise<void> {
  const backup = `${path}.backup-v${version}`
  const draft = `${backup}.new`
  try {
    await rm(draft, { force: true })
    createPrivateFile(draft)
    connection.run('VACUUM INTO ?', [draft])
    const file = await open(draft, 'r')
    await file.sync()
    await file.close()
    await rename(draft, backup)
  } catch (error) {
    throw error instanceof AppError ? error : unusable(backup, error)
  }
}
