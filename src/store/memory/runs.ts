import type { RunStore } from '../../sessions/record/session-ports.ts'
import { copiesOf, copyOf, type Tables } from './tables.ts'

export function memoryRuns({ runs }: Tables): RunStore {
  return {
    get: async (id) => copyOf(runs.get(id)),
    live: async () => copiesOf(runs.values(), (run) => run.endedAt === undefined),
    ofSession: async (sessionId) => copiesOf(runs.values(), (run) => run.sessionId === sessionId),
  }
}
