import type { Store } from '../../sessions/record/store.ts'
import { memoryApprovals } from './approvals.ts'
import { memoryCallers } from './callers.ts'
import { memoryEvents } from './events.ts'
import { memoryGrants } from './grants.ts'
import { memoryJournal } from './journal.ts'
import { memoryNodes } from './nodes.ts'
import { memoryReaders } from './readers.ts'
import { memoryRuns } from './runs.ts'
import { memorySessions } from './sessions.ts'
import { emptyTables } from './tables.ts'
import { memoryTurns } from './turns.ts'

/** Remembers for as long as the process lives; `durable` is nothing here. */
export async function openMemoryStore(): Promise<Store> {
  const tables = emptyTables()
  return {
    sessions: memorySessions(tables),
    runs: memoryRuns(tables),
    turns: memoryTurns(tables),
    journal: memoryJournal(tables),
    events: memoryEvents(tables),
    approvals: memoryApprovals(tables),
    grants: memoryGrants(tables),
    readers: memoryReaders(tables),
    nodes: memoryNodes(tables),
    callers: memoryCallers(tables),
    shrink: async () => {},
    close: async () => {},
  }
}
