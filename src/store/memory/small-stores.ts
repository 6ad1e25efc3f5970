import { type Grant, type GrantStore, isWide } from '../../approvals/grants/grant.ts'
import type { CallerStore } from '../../callers/caller.ts'
import type { ReaderStore } from '../../events/reader-store.ts'
import type { NoticeStore } from '../../notices/notice-settings.ts'
import type { RunStore, TurnStore } from '../../sessions/record/session-store.ts'
import type { NodeStore } from '../../tree/tree-node.ts'
import { tokenTakenError } from '../store-errors.ts'
import { appendRows } from './record.ts'
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

export function memoryGrants(tables: Tables): GrantStore {
  const { grants } = tables
  const current = (keep: (grant: Grant) => boolean) =>
    copiesOf(grants.values(), (grant) => !grant.ended && keep(grant))
  return {
    current: async () => current(() => true),
    wide: async () => current(isWide),
    ofSession: async (sessionId) => current((grant) => !isWide(grant) && grant.sessionId === sessionId),
    ending: async () => current(({ scope, endsAt }) => scope === 'turn' || endsAt !== undefined),
    ended: async (limit) =>
      copiesOf(grants.values(), ({ ended }) => ended !== undefined)
        .toReversed()
        .toSorted((a, b) => (b.ended?.at ?? 0) - (a.ended?.at ?? 0))
        .slice(0, limit),
    get: async (id) => copyOf(grants.get(id)),
    end: async (id, ended, recorded) => {
      const grant = grants.get(id)
      if (!grant || grant.ended) return false
      grants.set(id, { ...grant, ended: copyOf(ended) })
      appendRows(tables, recorded ? [recorded] : [])
      return true
    },
    removeEndedBefore: async (time) => {
      for (const { id, ended } of grants.values()) if (ended && ended.at < time) grants.delete(id)
    },
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
