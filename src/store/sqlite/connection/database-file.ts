import { chmodSync, closeSync, lstatSync, openSync } from 'node:fs'
import { isErrno } from '../../../base/errno.ts'
import { AppError } from '../../../base/errors.ts'

/**
 * Makes sure that the database is a regular file that only its user can read. SQLite gives the log and the shared memory
 * beside it the mode of the file, so it must exist, and be private, before SQLite opens it.
 */
export function ensurePrivateFile(path: string): void {
  try {
    createPrivateFile(path)
  } catch (error) {
    if (!isErrno(error, 'EEXIST')) throw fileError(path, error)
  }
  for (const file of [path, `${path}-wal`, `${path}-shm`]) keepPrivate(file)
}

/** Fails if anything has this name already, including a dangling link. */
export function createPrivateFile(path: string): void {
  closeSync(openSync(path, 'wx', 0o600))
}

// By name, not by an open file: closing that would drop the locks that SQLite holds on it in this process.
function keepPrivate(path: string): void {
  const found = withFileErrors(path, () => lstatSync(path, { throwIfNoEntry: false }))
  if (found === undefined) return
  if (!found.isFile()) {
    throw new AppError(
      'forbidden',
      `${path} is a link or no file, so it is not opened; remove it and try again.`,
    )
  }
  if ((found.mode & 0o077) === 0) return
  withFileErrors(path, () => chmodSync(path, 0o600))
}

function withFileErrors<T>(path: string, access: () => T): T {
  try {
    return access()
  } catch (error) {
    throw fileError(path, error)
  }
}

export function fileError(path: string, error: unknown): AppError {
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
