import type { EventOf } from '../../events/session-event.ts'
import { clockTime, oneLine } from './session-words.ts'

/** A question that was settled, or the event of it. */
export interface Settled extends Pick<EventOf<'approval.settled'>, 'by' | 'via'> {
  readonly status: string
}

/** What became of a question that was on this screen. Expired and withdrawn are not a no of a person. Pure. */
export function settledLine(
  id: string,
  { status, by, via }: Settled,
  { at, isOwn }: { readonly at: number; readonly isOwn: boolean },
): string {
  const time = clockTime(at)
  if (status === 'expired') return `= ${id} expired at ${time}: nobody answered in time, so the answer was no`
  if (status === 'withdrawn') return `= ${id} was withdrawn at ${time}: the session no longer asks`
  if (isOwn) return `= ${id} ${status} by you at ${time}`
  const way = via === undefined ? '' : ` (${via.replaceAll('_', ' ')})`
  return `= ${id} was settled elsewhere: ${status} by ${by === undefined ? 'a rule' : oneLine(by)}${way} at ${time}`
}
