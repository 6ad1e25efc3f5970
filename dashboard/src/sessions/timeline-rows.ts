import type { PendingQuestion } from '../../../src/engine/engine.ts'
import { visibleText } from '../../../src/text/visible-text.ts'

/** Settled and open questions in the order in which they were asked. One that was settled meanwhile counts as settled. Pure. */
export function timelineOf(
  decided: readonly PendingQuestion[],
  open: readonly PendingQuestion[],
): PendingQuestion[] {
  const settled = new Set(decided.map(({ id }) => id))
  return [...decided, ...open.filter(({ id }) => !settled.has(id))].toSorted(
    (a, b) => a.openedAt - b.openedAt || (a.id < b.id ? -1 : 1),
  )
}

/** What became of a question, in a few words. An allowed call ran only if the child has confirmed it. Pure. */
export function outcomeOf({ status, by, delivery }: PendingQuestion): string {
  if (status === 'pending') return 'waits'
  const who = by === undefined ? '' : ` by ${visibleText(by)}`
  return `${status}${who}${status === 'allowed' && delivery === 'acknowledged' ? ', ran' : ''}`
}
