import { PROCESS_BEGAN } from '../../base/clock.ts'

/**
 * How long a session has been at work, in ms. Both times are of the steady clock. If an earlier process noted `since`, the clock
 * of the machine may have jumped between the two: then no more counts than a child works without a hub.
 */
export function workedMs(since: number, now: number, began = PROCESS_BEGAN): number {
  if (since >= began) return Math.max(0, now - since)
  return Math.min(began - since, MAX_GAP_MS) + Math.max(0, now - began)
}

/** The lease of a child whose hub is gone. */
const MAX_GAP_MS = 30 * 60_000
