import type { CostStore, SessionSum } from '../../sessions/record/session-store.ts'
import { copiesOf, type Tables } from './tables.ts'

export function memoryCosts({ costs, removed }: Tables): CostStore {
  return {
    between: async (from, until) => {
      const sums = new Map<string, SessionSum>()
      for (const { at, ...row } of costs) {
        if (at < from || at >= until) continue
        const key = JSON.stringify([row.sessionId, row.model])
        const { usd = 0, tokens = 0 } = sums.get(key) ?? {}
        sums.set(key, { ...row, usd: row.usd + usd, tokens: row.tokens + tokens })
      }
      return [...sums.values()]
    },
    removeBefore: async (time) => {
      const kept = costs.filter(({ at }) => at >= time)
      costs.splice(0, costs.length, ...kept)
    },
    removedBelow: async (parentIds) =>
      copiesOf(removed.values(), ({ parentId }) => parentId !== undefined && parentIds.includes(parentId)),
  }
}

/** What a session has spent stays for those above it. Below a topmost session that is removed nothing is kept. */
export function keepSpending({ sessions, removed }: Tables, id: string): void {
  const session = sessions.get(id)
  if (!session) return
  const { parentId, model, costUsd, spent } = session
  if (parentId !== undefined && (sessions.has(parentId) || removed.has(parentId)))
    removed.set(id, { id: session.id, parentId, model, costUsd, spent })
  else forgetBelow(removed, id)
}

function forgetBelow(removed: Tables['removed'], parentId: string): void {
  for (const row of removed.values())
    if (row.parentId === parentId) {
      removed.delete(row.id)
      forgetBelow(removed, row.id)
    }
}
