import { onTestFinished, vi } from 'vitest'

/**
 * From now on until the end of the test, timers of this process ring, and `performance.now()` goes on, only when the returned
 * function lets time pass. To be called before anything that sets one. The time of day goes on, and so do waits with
 * `node:timers/promises`, such as those of `eventually`.
 */
export function heldTimers(): (ms: number) => Promise<void> {
  vi.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'],
  })
  onTestFinished(() => void vi.useRealTimers())
  return async (ms) => void (await vi.advanceTimersByTimeAsync(ms))
}
