import { statfsSync } from 'node:fs'
import { Doorbell } from '../doorbell.ts'
import { AppError } from '../errors.ts'

/** On a full disk the CLI drops what it says in the middle of a line, questions too: no turn may begin there. */
export function requireFreeSpace(folder: string): void {
  const { bavail, bsize } = statfsSync(folder)
  if (bavail * bsize >= LEAST_FREE_BYTES) return
  throw new AppError(
    'storage_full',
    'Less than 64 MB are free on the disk of PLEXUS_HOME; free some space and try again.',
  )
}

const LEAST_FREE_BYTES = 64 * 1024 * 1024

/** Tries until the disk has room again, or until told to stop. */
export async function whenThereIsSpace(work: () => Promise<void>, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      return await work()
    } catch (error) {
      if (!isStorageFull(error)) throw error
      await new Doorbell().next(RETRY_MS, signal).catch(() => {})
    }
  }
}

export function isStorageFull(error: unknown): boolean {
  return error instanceof AppError && error.code === 'storage_full'
}

const RETRY_MS = 1_000
