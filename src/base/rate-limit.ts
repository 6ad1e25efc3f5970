import { type Clock, systemClock } from './clock.ts'
import type { Log } from './log.ts'

type Say = Log['warn']

/**
 * Says the same kind of thing only so often: within a minute so many lines, and at its end how many more there would have
 * been. What anybody can make us say without a token must not fill the disk.
 */
export function rarely(say: Say, { most = MOST, ms = MINUTE_MS, clock = systemClock }: Limits = {}): Say {
  let said = 0
  let leftOut = 0
  const over = () => {
    if (leftOut > 0) say('More of these were left out of the log.', { leftOut })
    said = 0
    leftOut = 0
  }
  return (message, fields) => {
    if (said === 0) clock.setTimer(ms, over)
    said += 1
    if (said > most) leftOut += 1
    else say(message, fields)
  }
}

interface Limits {
  readonly most?: number
  readonly ms?: number
  readonly clock?: Clock
}

const MOST = 20
const MINUTE_MS = 60_000
