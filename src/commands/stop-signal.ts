const LIMIT_MS = 8_000

/**
 * The first SIGTERM, SIGINT or SIGHUP, told as a promise: whoever waits for it ends in good order. A second one, or an end
 * that takes too long, is the end at once; nothing is lost by it, because nothing ever is by a crash.
 */
export function stopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let told = false
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
      process.on(signal, () => {
        if (told) process.exit(128 + NUMBERS[signal])
        told = true
        setTimeout(() => process.exit(0), LIMIT_MS).unref()
        resolve(signal)
      })
  })
}

const NUMBERS = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 }
