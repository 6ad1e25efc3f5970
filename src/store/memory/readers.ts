import type { ReaderStore } from '../../events/reader-store.ts'
import { sessionIn, type Tables } from './tables.ts'

export function memoryReaders(tables: Tables): ReaderStore {
  const { readers } = tables
  return {
    get: async (sessionId, name) => readers.get(sessionId)?.get(name) ?? 0,
    advance: async (sessionId, name, seq) => {
      sessionIn(tables, sessionId)
      const cursors = readers.get(sessionId) ?? new Map<string, number>()
      readers.set(sessionId, cursors.set(name, Math.max(seq, cursors.get(name) ?? 0)))
    },
    move: async (sessionId, name, { from, to }) => {
      sessionIn(tables, sessionId)
      const cursors = readers.get(sessionId) ?? new Map<string, number>()
      if ((cursors.get(name) ?? 0) !== from) return false
      readers.set(sessionId, cursors.set(name, to))
      return true
    },
    list: async (sessionId) =>
      [...(readers.get(sessionId) ?? [])]
        .map(([name, seq]) => ({ name, seq }))
        .toSorted((a, b) => (a.name < b.name ? -1 : 1)),
  }
}
