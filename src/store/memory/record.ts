import { NO_ROWS, type RecordEntry, type RecordRow, rowAfter } from '../../audit/record-row.ts'
import type { RecordFilter, RecordStore } from '../../audit/record-store.ts'
import { copiesOf, copyOf, type Tables } from './tables.ts'

export function memoryRecord(tables: Tables): RecordStore {
  const { record, checkpoints, recordListeners } = tables
  return {
    append: async (entries) => appendRows(tables, entries),
    head: async () => {
      const { number, hash } = record.at(-1) ?? NO_ROWS
      return { number, hash }
    },
    get: async (number) => copyOf(record.find((row) => row.number === number)),
    read: async (filter) => copiesOf(record, matching(filter)).slice(0, filter.limit),
    latest: async (filter) => copiesOf(record, matching(filter)).toReversed().slice(0, filter.limit),
    checkpoints: async ({ after, until, limit }) =>
      copiesOf(checkpoints, ({ size }) => size > after && size <= until).slice(0, limit),
    lastCheckpoint: async () => copyOf(checkpoints.at(-1)),
    addCheckpoint: async (checkpoint) => void checkpoints.push(copyOf(checkpoint)),
    cut: async (to) => {
      record.splice(0, record.filter(({ number }) => number <= to).length)
      checkpoints.splice(0, checkpoints.filter(({ size }) => size < to).length)
    },
    onAppended: (listener) => {
      recordListeners.add(listener)
      return () => void recordListeners.delete(listener)
    },
  }
}

export function appendRows({ record, recordListeners }: Tables, entries: readonly RecordEntry[]): void {
  for (const entry of entries) record.push(rowAfter(record.at(-1) ?? NO_ROWS, copyOf(entry)))
  if (entries.length > 0) for (const listener of recordListeners) listener()
}

function matching({ session, approval, kind, after, before }: RecordFilter) {
  return (row: RecordRow): boolean => {
    if ((kind ?? row.kind) !== row.kind || row.number <= (after ?? 0)) return false
    if (row.number >= (before ?? Infinity)) return false
    const body: { session?: string; approvalId?: string } = JSON.parse(row.body)
    return (session ?? body.session) === body.session && (approval ?? body.approvalId) === body.approvalId
  }
}
