/**
 * The value of `promise`, or `late` if it has not settled after `ms` milliseconds or when the signal aborts. By a plain timer:
 * a signal of its own for each of thousands of waits a second would be an error with a stack each time.
 */
export function withTimeout<T, Late>(
  promise: Promise<T>,
  ms: number,
  late: Late,
  signal?: AbortSignal,
): Promise<T | Late> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', giveUp)
    }
    const giveUp = () => {
      end()
      resolve(late)
    }
    const timer = setTimeout(giveUp, ms)
    signal?.addEventListener('abort', giveUp)
    promise.finally(end).then(resolve, reject)
    // What has settled already counts, even if the signal aborted before it.
    if (signal?.aborted) setImmediate(giveUp)
  })
}
