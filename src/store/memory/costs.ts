import type { CostStore, SessionSum } from '../../sessions/record/session-store.ts'
import type { Tables } from './tables.ts'

export function memoryCosts({ costs }: Tables): CostStore {
  return {
    between: async (from, until) => {
      const sums = new Map<string, SessionSum>()
      for (const { sessionId, owner, at, usd } of costs)
        if (at >= from && at < until)
          sums.set(sessionId, { sessionId, owner, usd: usd + (sums.get(sessionId)?.usd ?? 0) })
      return [...sums.values()]
    },
    removeBefore: async (time) => {
      const kept = costs.filter(({ at }) => at >= time)
      costs.splice(0, costs.length, ...kept)
    },
  }
}
