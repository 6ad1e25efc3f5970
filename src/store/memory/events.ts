import type { EventLog } from '../../events/event-log.ts'
import type { Tables } from './tables.ts'

export function memoryEvents({ events }: Tables): EventLog {
  return {
    read: async (sessionId, after, limit) => {
      const all = events.get(sessionId) ?? []
      return all
        .slice(after, after + limit)
        .map(({ seq, turn, at, payload }) => ({ seq, turn, at, event: JSON.parse(payload) }))
    },
  }
}
