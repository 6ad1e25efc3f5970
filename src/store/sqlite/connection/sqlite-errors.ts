import { AppError } from '../../../base/errors.ts'

// https://www.sqlite.org/rescode.html: the low byte is the kind, the whole number says more.
const BUSY = 5
const LOCKED = 6
const IO_ERROR = 10
const CORRUPT = 11
const FULL = 13
const NOT_A_DATABASE = 26
const SHARED_MEMORY_SIZE = 4874
const CANNOT_USE = [3, 8, 14, 23]

/** An error of SQLite as an `AppError`; all other errors are returned unchanged. */
export function appErrorOf(error: unknown, path: string): unknown {
  const code = codeOf(error)
  if (code === undefined) return error
  const [errorCode, message] = codeAndMessage(code, path)
  return new AppError(errorCode, message, { cause: error })
}

function codeAndMessage(code: number, path: string): ['storage_full' | 'busy' | 'internal', string] {
  const kind = code & 0xff
  if (kind === FULL || code === SHARED_MEMORY_SIZE) {
    return [
      'storage_full',
      `The disk of ${path} is full and nothing was stored; free some space and try again.`,
    ]
  }
  if (kind === BUSY || kind === LOCKED) {
    return ['busy', `Another process is writing to ${path}; end it, or try again in a moment.`]
  }
  // `internal`, not `invalid_input`: the caller's input is not wrong, and no other call would help.
  if (kind === CORRUPT || kind === NOT_A_DATABASE) {
    return [
      'internal',
      `${path} is damaged or no database of Plexus; put a backup in its place or move it away.`,
    ]
  }
  if (kind === IO_ERROR || CANNOT_USE.includes(kind)) {
    return ['internal', `${path} cannot be read or written; check the disk and the rights of the folder.`]
  }
  return ['internal', `The database refused a statement; this is a fault of Plexus, please report it.`]
}

function codeOf(error: unknown): number | undefined {
  const code = error instanceof Error && 'errcode' in error ? error.errcode : undefined
  return typeof code === 'number' ? code : undefined
}

const FOREIGN_KEY = 787

/** A row refers to a row that does not exist. */
export function isMissingOwner(error: unknown): boolean {
  return error instanceof Error && codeOf(error.cause) === FOREIGN_KEY
}
