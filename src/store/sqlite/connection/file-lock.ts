import { AppError } from '../../../base/errors.ts'
import { openDatabase } from './database.ts'
import { ensurePrivateFile } from './database-file.ts'

/**
 * Holds a lock on a file until this process ends, for any reason: the operating system holds the lock for SQLite and releases
 * it itself. So it works where process ids do not, as between two containers that share a folder. False if another process
 * has it; it is retried for a moment, because two processes that try at the same time block each other.
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

/** A connection without a reference is garbage collected, and its lock is released. */
const held = new Set<object>()

function isBusy(error: unknown): boolean {
  return error instanceof Error && /database is locked|SQLITE_BUSY/i.test(error.message)
}
