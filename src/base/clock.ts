import { MAX_TIMER_MS } from './limits.ts'

/** The time source of everything with a time limit, so that tests can advance it without waiting. */
export interface Clock {
  /** Milliseconds since 1970, for display; it may jump. */
  now(): number
  /** Calls `f` once, after `ms` milliseconds of a clock that never jumps. Returns a function that cancels the call. */
  setTimer(ms: number, f: () => void): () => void
}

/** The clock of this machine. Its timers do not keep the process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  setTimer: (ms, f) => {
    const timer = setTimeout(f, Math.min(ms, MAX_TIMER_MS)).unref()
    return () => clearTimeout(timer)
  },
}

/**
 * Milliseconds since 1970 by a clock that never jumps while this process runs: the time when the process began, and the time
 * since then. For spans of time, not for display.
 */
export function steadyNow(): number {
  return PROCESS_BEGAN + performance.now()
}

export const PROCESS_BEGAN = performance.timeOrigin
