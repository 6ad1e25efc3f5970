/** The value of `promise`, or `late` if it has not settled after `ms` milliseconds or when the signal aborts. */
export async function withTimeout<T, Late>(
  promise: Promise<T>,
  ms: number,
  late: Late,
  signal?: AbortSignal,
): Promise<T | Late> {
  let end = () => {}
  const timeout = new Promise<Late>((resolve) => {
    const timer = setTimeout(resolve, ms, late)
    const abort = () => resolve(late)
    signal?.addEventListener('abort', abort, { once: true })
    if (signal?.aborted) abort()
    end = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
    }
  })
  return Promise.race([promise, timeout]).finally(() => end())
}
