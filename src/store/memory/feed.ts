import type { EventFeed } from '../../events/event-feed.ts'
import { memoryEvents } from './events.ts'
import type { Tables } from './tables.ts'

/** Keeps every step: it lasts no longer than the process. */
export function memoryFeed(tables: Tables): EventFeed {
  const events = memoryEvents(tables)
  return {
    position: async () => tables.feed.length,
    read: async (after, limit) => {
      const rows = tables.feed.slice(after, after + limit)
      const steps = []
      for (const [index, { sessionId, last, count }] of rows.entries()) {
        const found = await events.read(sessionId, last - count, count)
        if (found.length > 0) steps.push({ position: after + index + 1, sessionId, events: found })
      }
      const end = tables.feed.length
      return after > end ? { steps, position: end, missed: true } : { steps, position: after + rows.length }
    },
  }
}
