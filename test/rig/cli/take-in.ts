import { withDerived } from '../../../src/child/state/derived-events.ts'
import { evolve, type RunState } from '../../../src/child/state/run-state.ts'
import type { SessionEvent } from '../../../src/events/session-event.ts'

/** The record that these events make from a state, and the state after it. */
export function takeIn(
  state: RunState,
  events: readonly SessionEvent[],
): { state: RunState; events: SessionEvent[] } {
  const record: SessionEvent[] = []
  let last = state
  for (const event of events) {
    for (const derived of withDerived(last, event)) {
      last = evolve(last, derived)
      record.push(derived)
    }
  }
  return { state: last, events: record }
}
