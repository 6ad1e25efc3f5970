import { Doorbell } from './doorbell.ts'
import { AppError } from './errors.ts'

/** Tries until it is done, or need not be any more: for what nobody would do in our place. */
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

/** Tries until the disk has room again and nobody else holds the database, or until told to stop. */
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
