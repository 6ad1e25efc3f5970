import { AppError } from '../../../base/errors.ts'
import { openDatabase } from './database.ts'
import { ensurePrivateFile } from './database-file.ts'

/**
 * Holds a lock on a file until this process ends, however it ends: the system holds it, for SQLite, and gives it back itself.
 * So it counts where process ids do not, as between two containers that share a folder. False when another process has it;
 * it is tried for a moment, because two that try at once are in each other's way.
 */
export async function lockFile(path: string): Promise<boolean> {
  ensurePrivateFile(path)
  const database = openDatabase(path)
  try {
    database.exec('PRAGMA busy_timeout = 1000; PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE')
  } catch (error) {
    database.close()
    if (isBusy(error)) return false
    throw new AppError(
      'internal',
      `${path} cannot be locked; check that its folder is yours and on a disk that has locks.`,
      { cause: error },
    )
  }
  held.add(database)
  return true
}

/** A connection that nobody holds is collected, and its lock with it. */
const held = new Set<object>()

function isBusy(error: unknown): boolean {
  return error instanceof Error && /database is locked|SQLITE_BUSY/i.test(error.message)
}
