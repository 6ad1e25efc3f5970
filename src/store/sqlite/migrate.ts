import { open, rename, rm } from 'node:fs/promises'
import { AppError } from '../../base/errors.ts'
import type { Connection } from './connection/connection.ts'
import { createPrivateFile, fileError } from './connection/database-file.ts'
import { CONVERSIONS } from './migrations.ts'
import { enableShrink } from './shrink.ts'

/**
 * Migrates the database to the newest version, in one transaction, so that it is never half migrated. A backup of the old
 * version is kept beside it.
 */
export async function migrate(
  connection: Connection,
  path: string,
  migrations: readonly string[],
): Promise<void> {
  const newest = migrations.length
  const version = requireKnownVersion(connection, path, newest)
  if (version === newest) return
  if (version > 0) await backUp(connection, path, version)
  const conversions = version > 0 ? await conversionsAfter(version) : undefined
  // A table is changed by replacing it with a copy, and dropping it would delete all rows that refer to it. The switch has
  // no effect inside a transaction.
  connection.exec('PRAGMA foreign_keys = OFF')
  connection.transaction(() => {
    for (const [index, sql] of migrations.entries()) {
      if (index < version) continue
      connection.exec(sql)
      conversions?.get(index + 1)?.(connection)
      const conversion = CONVERSIONS.get(index + 1)
      if (conversion) connection.exec(conversion.after)
    }
    const violations: unknown[] = connection.all('PRAGMA foreign_key_check')
    if (violations.length > 0) {
      throw new AppError('internal', `${path} could not be migrated; use the Plexus version that wrote it.`)
    }
    connection.exec(`PRAGMA user_version = ${newest}`)
  })
  if (version > 0) enableShrink(connection)
}

async function conversionsAfter(version: number): Promise<ReadonlyMap<number, (db: Connection) => void>> {
  const missing = [...CONVERSIONS].filter(([target]) => target > version)
  return new Map(
    await Promise.all(missing.map(async ([target, { load }]) => [target, await load()] as const)),
  )
}

/** The version of a database that this program can read, or migrate; 0 is an empty file. */
export function requireKnownVersion(connection: Connection, path: string, newest: number): number {
  const version = versionOf(connection)
  if (version > newest) {
    // The user opened a new file with an old program: another file or another program helps.
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
  return version
}

function versionOf(connection: Connection): number {
  const row: { user_version: number } = connection.get('PRAGMA user_version')
  return row.user_version
}

/** Complete before it gets its name, so that a crash leaves no partial backup. */
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
    throw error instanceof AppError ? error : fileError(backup, error)
  }
}
