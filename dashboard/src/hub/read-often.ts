/** Runs `work` at once, or once more after the run that is under way: many changes cost two reads, not many. */
export function coalesced(
  work: () => Promise<void>,
): (() => Promise<void>) & { readonly isRunning: () => boolean } {
  let running: Promise<void> | undefined
  let next: Promise<void> | undefined
  const run = (): Promise<void> => {
    running = work().finally(() => (running = undefined))
    return running
  }
  const runOrWait = () => {
    if (!running) return run()
    next ??= running
      .catch(() => {})
      .then(() => {
        next = undefined
        return run()
      })
    return next
  }
  return Object.assign(runOrWait, { isRunning: () => running !== undefined })
}

/** Runs `work` when it was not called for a moment, or at the latest after half a second: a burst costs one read. */
export function afterQuiet(work: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let since: number | undefined
  return () => {
    const now = performance.now()
    since ??= now
    clearTimeout(timer)
    timer = setTimeout(
      () => {
        since = undefined
        work()
      },
      Math.max(0, Math.min(QUIET_MS, since + MAX_MS - now)),
    )
  }
}

const QUIET_MS = 100
const MAX_MS = 500
