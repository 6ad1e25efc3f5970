import { Doorbell } from '../base/doorbell.ts'
import { AppError } from '../base/errors.ts'

/** Retries `work` once a second until it succeeds, the signal aborts (returns undefined), or the error is not retryable. */
export async function retryUntilDone<T>(
  work: () => Promise<T>,
  signal: AbortSignal,
  shouldRetry = isRetryable,
): Promise<T | undefined> {
  while (!signal.aborted) {
    try {
      return await work()
    } catch (error) {
      if (!shouldRetry(error)) throw error
      await new Doorbell().next(RETRY_MS, signal).catch(() => {})
    }
  }
  return undefined
}

/** Retries `work` while the disk is full or the database is locked, until it succeeds or the signal aborts. */
export async function retryUntilStorageIsFree(work: () => Promise<void>, signal: AbortSignal): Promise<void> {
  await retryUntilDone(work, signal, isStorageUnavailable)
}

export function isStorageUnavailable(error: unknown): boolean {
  return error instanceof AppError && (error.code === 'storage_full' || error.code === 'busy')
}

function isRetryable(error: unknown): boolean {
  return !(error instanceof AppError && error.code === 'not_found')
}

const RETRY_MS = 1_000
