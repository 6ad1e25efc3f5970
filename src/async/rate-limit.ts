import { type Clock, systemClock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'

type LogLine = Log['warn']

/**
 * Limits how many lines of one kind are logged per minute, and logs at the end of the minute how many were omitted. Lines
 * that anybody can cause without a token must not fill the disk.
 */
export function rateLimited(
  log: LogLine,
  { maxLines = MAX_LINES, windowMs = WINDOW_MS, clock = systemClock }: Limits = {},
): LogLine {
  let count = 0
  let omitted = 0
  const endWindow = () => {
    if (omitted > 0) log('More of these were left out of the log.', { leftOut: omitted })
    count = 0
    omitted = 0
  }
  return (message, fields) => {
    if (count === 0) clock.setTimer(windowMs, endWindow)
    count += 1
    if (count > maxLines) omitted += 1
    else log(message, fields)
  }
}

interface Limits {
  readonly maxLines?: number
  readonly windowMs?: number
  readonly clock?: Clock
}

const MAX_LINES = 20
const WINDOW_MS = 60_000
