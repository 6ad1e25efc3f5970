import type { StoredEvent } from '../../../src/events/event-log.ts'
import type { EventOf } from '../../../src/events/session-event.ts'

export type CallResult = EventOf<'tool.finished'>

/** The result of the call that was asked about, if these events have it. Pure. */
export function resultIn(
  events: readonly StoredEvent[],
  toolUseId: string | undefined,
): CallResult | undefined {
  for (const { event } of events)
    if (event.type === 'tool.finished' && event.toolUseId === toolUseId) return event
  return undefined
}
