export interface StopOptions {
  /** How long a graceful shutdown may take. */
  readonly limitMs?: number
  /** Called before the exit when the shutdown took longer. */
  readonly onLate?: () => void
}

/**
 * Resolves with the first SIGTERM, SIGINT or SIGHUP, so that the caller can shut down gracefully. A second signal, or a
 * shutdown that takes too long, exits at once. Nothing is lost by that, because a crash loses nothing either; but the exit
 * code is not that of a graceful shutdown.
 */
export function stopSignal({ limitMs = LIMIT_MS, onLate }: StopOptions = {}): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let received = false
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
      process.on(signal, () => {
        if (received) process.exit(128 + NUMBERS[signal])
        received = true
        setTimeout(() => {
          onLate?.()
          process.exit(1)
        }, limitMs).unref()
        resolve(signal)
      })
  })
}

const LIMIT_MS = 8_000
const NUMBERS = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 }
