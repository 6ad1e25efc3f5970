import { rmSync } from 'node:fs'
import { AppError } from '../../base/errors.ts'
import { copySettings, readSettings, writeSettings } from '../../system/files/settings-file.ts'

/** What is to become of a file that a person or another program owns. */
export interface FileChange {
  readonly path: string
  /** Undefined: there is no such file. */
  readonly before: string | undefined
  readonly after: string | undefined
  /** What becomes of the copy beside it; omitted: nothing. */
  readonly backup?: 'made' | 'removed'
  /** The path of that copy, where it is not the one of `backupPath`. */
  readonly copy?: string
}

export function backupPath(path: string): string {
  return `${path}.plexus-backup`
}

/** The text before our first change; undefined without a copy that can be read. */
export function readBackup(copy: string): string | undefined {
  try {
    return readSettings(copy)
  } catch {
    return undefined
  }
}

/** Writes all changes, or none if one of the files is no longer what was shown. */
export function applyChanges(changes: readonly FileChange[]): void {
  for (const { path, before } of changes)
    if (readSettings(path) !== before)
      throw new AppError('changed', `${path} has changed meanwhile, so nothing was written; try again.`)
  for (const { path, before, after, backup, copy = backupPath(path) } of changes) {
    // A copy from an earlier time says nothing about a file that is new.
    if (backup === 'made' && before === undefined) rmSync(copy, { force: true })
    if (backup === 'made' && before !== undefined) copySettings(path, before, copy)
    writeSettings(path, before, after)
    if (backup === 'removed') rmSync(copy, { force: true })
  }
}

/** The error that a person reads if a text cannot be edited. Nothing has been written by then. */
export function asReadableError(path: string, error: unknown): unknown {
  if (!(error instanceof SyntaxError)) return error
  const sentence = `${path} cannot be changed (${error.message}); correct that first, nothing was written.`
  return new AppError('invalid_input', sentence, { cause: error })
}
