import { setTimeout as sleep } from 'node:timers/promises'

/** The value of `promise`, or `late` if it has not settled after `ms` milliseconds or when the signal aborts. */
export async function withTimeout<T, Late>(
  promise: Promise<T>,
  ms: number,
  late: Late,
  signal?: AbortSignal,
): Promise<T | Late> {
  const settled = new AbortController()
  const end = signal ? AbortSignal.any([settled.signal, signal]) : settled.signal
  try {
    return await Promise.race([promise, sleep(ms, late, { signal: end }).catch(() => late)])
  } finally {
    settled.abort()
  }
}
