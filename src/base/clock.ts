/** Time as the parts that keep limits see it, so that it can be made to pass without waiting. */
export interface Clock {
  /** Milliseconds since 1970, for people; it may jump. */
  now(): number
  /** Calls `f` once, after so many milliseconds of a time that never jumps; what it returns takes that back. */
  setTimer(ms: number, f: () => void): () => void
}

/** The machine's own. Its timers keep no process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  setTimer: (ms, f) => {
    const timer = setTimeout(f, Math.min(ms, MAX_TIMER_MS)).unref()
    return () => clearTimeout(timer)
  },
}

/** A longer one would go off at once. */
const MAX_TIMER_MS = 2_147_483_647
