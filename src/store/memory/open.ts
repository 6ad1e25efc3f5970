import type { Store } from '../../sessions/record/store.ts'
import { memoryApprovals } from './approvals.ts'
import { memoryCosts } from './costs.ts'
import { memoryEvents } from './events.ts'
import { memoryFeed } from './feed.ts'
import { memoryJournal } from './journal.ts'
import { memoryRecord } from './record.ts'
import { memorySessions } from './sessions.ts'
import {
  memoryCallers,
  memoryGrants,
  memoryNodes,
  memoryNotices,
  memoryReaders,
  memoryRuns,
  memoryTurns,
} from './small-stores.ts'
import { emptyTables } from './tables.ts'

/** A store that lasts as long as the process. */
export async function openMemoryStore(): Promise<Store> {
  const tables = emptyTables()
  return {
    sessions: memorySessions(tables),
    runs: memoryRuns(tables),
    turns: memoryTurns(tables),
    journal: memoryJournal(tables),
    events: memoryEvents(tables),
    feed: memoryFeed(tables),
    approvals: memoryApprovals(tables),
    grants: memoryGrants(tables),
    readers: memoryReaders(tables),
    nodes: memoryNodes(tables),
    callers: memoryCallers(tables),
    notices: memoryNotices(tables),
    costs: memoryCosts(tables),
    record: memoryRecord(tables),
    shrink: async () => {},
    close: async () => {},
  }
}
