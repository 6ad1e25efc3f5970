import { statfsSync } from 'node:fs'
import { AppError } from '../base/errors.ts'

/** On a full disk the CLI drops its output in the middle of a line, questions too: no turn may begin there. */
export function requireFreeSpace(folder: string): void {
  if (freeBytes(folder) >= MIN_FREE_BYTES) return
  throw new AppError(
    'storage_full',
    'Less than 64 MB are free on the disk of PLEXUS_HOME; free some space and try again.',
  )
}

/** Whether nothing more can be written; false where the disk cannot be queried. */
export function isDiskFull(folder: string): boolean {
  try {
    return statfsSync(folder).bavail === 0
  } catch {
    return false
  }
}

export function freeBytes(folder: string): number {
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}

/** With less than this no turn begins. */
export const MIN_FREE_BYTES = 64 * 1024 * 1024
