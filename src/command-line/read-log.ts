import type { SessionKey } from '../base/ids.ts'
import type { StoredEvent } from '../events/event-log.ts'
import type { ClientHub } from './command.ts'

const PAGE = 1_000

/** All events of a session that are stored now. */
export async function* readLog(
  { engine, context }: ClientHub,
  sessionId: SessionKey,
): AsyncGenerator<StoredEvent> {
  for (let after = 0; ;) {
    const { events } = await engine.readEvents(context, { sessionId, after, limit: PAGE })
    yield* events
    after = events.at(-1)?.seq ?? after
    if (events.length < PAGE) return
  }
}
