import type { GrantStore } from '../../approvals/grants/grant.ts'
import type { CallerStore } from '../../callers/caller.ts'
import type { ReaderStore } from '../../events/reader-store.ts'
import type { NoticeStore } from '../../notices/notice-settings.ts'
import type { RunStore, TurnStore } from '../../sessions/record/session-store.ts'
import type { NodeStore } from '../../tree/tree-node.ts'
import { tokenTakenError } from '../store-errors.ts'
import { copiesOf, copyOf, sessionIn, type Tables } from './tables.ts'

export function memoryRuns({ runs }: Tables): RunStore {
  return {
    get: async (id) => copyOf(runs.get(id)),
    live: async () => copiesOf(runs.values(), (run) => run.endedAt === undefined),
    ofSession: async (sessionId) => copiesOf(runs.values(), (run) => run.sessionId === sessionId),
  }
}

export function memoryTurns({ turns }: Tables): TurnStore {
  return {
    get: async (sessionId, number) => copyOf(turns.get(sessionId)?.get(number)),
    list: async (sessionId) =>
      copiesOf(turns.get(sessionId)?.values() ?? []).toSorted((a, b) => a.number - b.number),
  }
}

export function memoryNodes({ nodes }: Tables): NodeStore {
  return {
    get: async (id) => copyOf(nodes.get(id)),
    children: async (id) => copiesOf(nodes.values(), (node) => node.parentId === id),
  }
}

export function memoryGrants({ grants }: Tables): GrantStore {
  return {
    all: async () => copiesOf(grants.values()),
    ofSession: async (sessionId) => copiesOf(grants.values(), (grant) => grant.sessionId === sessionId),
    remove: async (id) => grants.delete(id),
  }
}

export function memoryCallers({ callers }: Tables): CallerStore {
  const withHash = (hash: string) => [...callers.values()].find(({ tokenHash }) => tokenHash === hash)
  return {
    put: async (caller) => {
      const withToken = withHash(caller.tokenHash)
      if (withToken && withToken.id !== caller.id) throw tokenTakenError()
      callers.set(caller.id, copyOf(caller))
    },
    byTokenHash: async (hash) => copyOf(withHash(hash)),
    list: async (kind) => copiesOf(callers.values(), (caller) => caller.kind === kind),
    byName: async (kind, name) =>
      copiesOf(callers.values(), (caller) => caller.kind === kind && caller.name === name).at(-1),
  }
}

export function memoryNotices({ notices }: Tables): NoticeStore {
  return {
    get: async (device) => copyOf(notices.get(device)),
    put: async (settings) => {
      const { device, push } = settings
      for (const [other, { push: theirs, ...rest }] of notices)
        if (push && other !== device && theirs?.endpoint === push.endpoint) notices.set(other, rest)
      notices.set(device, copyOf(settings))
    },
    remove: async (device) => void notices.delete(device),
    list: async () => copiesOf(notices.values()),
  }
}

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
  }
}
