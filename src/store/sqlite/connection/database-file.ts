import { chmodSync, closeSync, lstatSync, openSync } from 'node:fs'
import { isErrno } from '../../../base/errno.ts'
import { AppError } from '../../../base/errors.ts'

/**
 * Makes sure that the database is a file of its own that only its user can read. SQLite gives the log and the shared
 * memory beside it the mode of the file, so it has to be there, and private, before SQLite opens it.
 */
export function ensurePrivateFile(path: string): void {
  try {
    createPrivateFile(path)
  } catch (error) {
    if (!isErrno(error, 'EEXIST')) throw unusable(path, error)
  }
  for (const file of [path, `${path}-wal`, `${path}-shm`]) keepPrivate(file)
}

/** Fails when anything has this name already, a link that leads nowhere included. */
export function createPrivateFile(path: string): void {
  closeSync(openSync(path, 'wx', 0o600))
}

// By name, not by an open file: closing one would drop the locks that SQLite holds on it in this process.
function keepPrivate(path: string): void {
  const found = orUnusable(path, () => lstatSync(path, { throwIfNoEntry: false }))
  if (found === undefined) return
  if (!found.isFile()) {
    throw new AppError(
      'forbidden',
      `${path} is a link or no file, so it is not opened; remove it and try again.`,
    )
  }
  if ((found.mode & 0o077) === 0) return
  orUnusable(path, () => chmodSync(path, 0o600))
}

function orUnusable<T>(path: string, look: () => T): T {
  try {
    return look()
  } catch (error) {
    throw unusable(path, error)
  }
}

/** What the file system said, as a sentence. */
export function unusable(path: string, error: unknown): AppError {
  if (isErrno(error, 'ENOSPC', 'EDQUOT')) {
    return new AppError('storage_full', `The disk of ${path} is full; free some space and try again.`)
  }
  return new AppError(
    'internal',
    `${path} cannot be made or read; check that its folder exists and is yours.`,
    {
      cause: error,
    },
  )
}
