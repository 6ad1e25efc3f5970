import type { TurnStore } from '../../sessions/record/session-ports.ts'
import { copiesOf, copyOf, type Tables } from './tables.ts'

export function memoryTurns({ turns }: Tables): TurnStore {
  return {
    get: async (sessionId, number) => copyOf(turns.get(sessionId)?.get(number)),
    list: async (sessionId) =>
      copiesOf(turns.get(sessionId)?.values() ?? []).toSorted((a, b) => a.number - b.number),
  }
}
