import type { Approval } from '../../approvals/approval.ts'
import type { ApprovalStore } from '../../approvals/approval-store.ts'
import { definedFields } from '../../base/defined-fields.ts'
import { appendRows } from './record.ts'
import { copiesOf, copyOf, type Tables } from './tables.ts'

const DELIVERY: readonly Approval['delivery'][] = ['none', 'sent', 'acknowledged']

export function memoryApprovals(tables: Tables): ApprovalStore {
  const { approvals, sessions } = tables
  return {
    get: async (id) => copyOf(approvals.get(id)),
    ofToolUse: async (sessionId, toolUseId) =>
      copiesOf(approvals.values(), (row) => row.sessionId === sessionId && row.toolUseId === toolUseId),
    ofNumber: async (sessionId, number) =>
      copiesOf(approvals.values(), (row) => row.sessionId === sessionId && row.number === number)[0],
    pending: async (sessionIds) =>
      copiesOf(
        approvals.values(),
        (row) => row.status === 'pending' && (!sessionIds || sessionIds.includes(row.sessionId)),
      ),
    pendingIds: async () =>
      [...approvals.values()].flatMap(
        ({ id, sessionId, status, input, extendedUntil, timeoutMs, held, flood }) => {
          const bytes = Buffer.byteLength(JSON.stringify(input))
          return status === 'pending'
            ? { id, sessionId, bytes, ...definedFields({ extendedUntil, timeoutMs, held, flood }) }
            : []
        },
      ),
    settled: async ({ sessionIds, owner, before, limit, withoutTerminals }) => {
      const all = [...approvals.keys()]
      const earlier = new Set(before === undefined ? all : all.slice(0, Math.max(0, all.indexOf(before))))
      const rows = copiesOf(
        approvals.values(),
        (row) =>
          row.status !== 'pending' &&
          earlier.has(row.id) &&
          !(withoutTerminals && row.carrier === 'terminal') &&
          (sessionIds?.includes(row.sessionId) ?? true) &&
          (owner === undefined || sessions.get(row.sessionId)?.owner === owner),
      )
      return rows.toReversed().slice(0, limit)
    },
    countByStatus: async () => {
      const counts = { pending: 0, allowed: 0, denied: 0, expired: 0, withdrawn: 0 }
      for (const { status } of approvals.values()) counts[status] += 1
      return counts
    },
    setDelivery: async (id, delivery, recorded) => {
      const row = approvals.get(id)
      if (!row || DELIVERY.indexOf(delivery) <= DELIVERY.indexOf(row.delivery)) return
      approvals.set(id, { ...row, delivery })
      appendRows(tables, recorded ? [recorded] : [])
    },
    removeSettledBefore: async (at) => {
      const old = [...approvals.values()].filter(
        (row) => row.status !== 'pending' && row.settledAt !== undefined && row.settledAt < at,
      )
      for (const { id } of old) approvals.delete(id)
      return old.length
    },
  }
}
