import type { EventLog } from '../../events/event-log.ts'
import type { Tables } from './tables.ts'

export function memoryEvents({ sessions, events }: Tables): EventLog {
  return {
    read: async (sessionId, after, limit) => {
      const kept = events.get(sessionId) ?? []
      const from = Math.max(0, after + 1 - (kept[0]?.seq ?? 1))
      return kept
        .slice(from, from + limit)
        .map(({ seq, turn, at, payload }) => ({ seq, turn, at, event: JSON.parse(payload) }))
    },
    range: async (sessionId) => ({
      first: events.get(sessionId)?.[0]?.seq ?? 1,
      last: sessions.get(sessionId)?.lastSeq ?? 0,
    }),
    trim: async (sessionId, seq) => {
      const last = sessions.get(sessionId)?.lastSeq ?? 0
      const kept = events.get(sessionId) ?? []
      events.set(
        sessionId,
        kept.filter((event) => event.seq >= Math.min(seq, last)),
      )
    },
  }
}
