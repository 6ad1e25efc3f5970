export interface Stop {
  /** How long an end in good order may take. */
  readonly limitMs?: number
  /** It took longer: what is said before the end. */
  readonly onLate?: () => void
}

/**
 * The first SIGTERM, SIGINT or SIGHUP, told as a promise: whoever waits for it ends in good order. A second one, or an end
 * that takes too long, is the end at once; nothing is lost by it, because nothing ever is by a crash. But it is not
 * told as an end in good order.
 */
export function stopSignal({ limitMs = LIMIT_MS, onLate }: Stop = {}): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let told = false
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
      process.on(signal, () => {
        if (told) process.exit(128 + NUMBERS[signal])
        told = true
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
