import type { ApprovalKey } from '../../base/ids.ts'
import { alreadySettledError } from '../../approvals/already-settled-error.ts'
import type { Approval } from '../../approvals/approval.ts'
import { definedFields } from '../../base/defined-fields.ts'
import type { Journal, Step } from '../../sessions/record/journal.ts'
import { noApprovalError } from '../store-errors.ts'
import { appendRows } from './record.ts'
import { requireUnused } from './sessions.ts'
import { copyOf, sessionIn, type Tables } from './tables.ts'

/** Needs no rollback: everything that can fail comes before the first change. */
export function memoryJournal(tables: Tables): Journal {
  return {
    append: async (given) => {
      const steps = [given].flat()
      const writes = steps.map((step) => prepared(tables, copyOf(step)))
      return writes.map((write) => write()).at(-1) ?? 0
    },
  }
}

/** Checks the step; what it returns stores it and cannot fail. */
function prepared(tables: Tables, step: Step): () => number {
  const session = step.created ? { ...step.created, lastSeq: 0 } : sessionIn(tables, step.sessionId)
  if (step.created) requireUnused(tables, step.created)
  for (const rows of [step.runs, step.turns, step.nodes, step.opened, step.granted]) {
    for (const row of rows ?? []) if (row.sessionId !== session.id) sessionIn(tables, row.sessionId)
  }
  const approvals = approvalsAfter(tables, step)
  return () => {
    const lastSeq = session.lastSeq + step.events.length
    // A name is changed by `rename` alone: a step that was prepared before a renaming must not undo it.
    const { name: _, ...row } = step.session ?? session
    tables.sessions.set(session.id, {
      ...row,
      ...definedFields({ name: session.name }),
      lastSeq,
      updatedAt: step.at,
    })
    appendEvents(tables, step, session.lastSeq)
    if (step.events.length > 0)
      tables.feed.push({ sessionId: session.id, last: lastSeq, count: step.events.length })
    for (const run of step.runs ?? []) tables.runs.set(run.id, run)
    for (const turn of step.turns ?? []) {
      const turns = tables.turns.get(turn.sessionId) ?? new Map()
      tables.turns.set(turn.sessionId, turns.set(turn.number, turn))
    }
    for (const node of step.nodes ?? []) tables.nodes.set(node.id, node)
    for (const grant of step.granted ?? [])
      if (!tables.grants.has(grant.id)) tables.grants.set(grant.id, grant)
    for (const { id, ...ended } of step.endedGrants ?? []) {
      const grant = tables.grants.get(id)
      if (grant && !grant.ended) tables.grants.set(id, { ...grant, ended })
    }
    const late = (step.acknowledged ?? []).filter(
      ({ approvalId }) => tables.approvals.get(approvalId)?.delivery === 'none',
    )
    for (const approval of approvals.values()) tables.approvals.set(approval.id, approval)
    for (const spent of step.spent ?? [])
      tables.costs.push({ sessionId: session.id, owner: session.owner, at: step.at, ...spent })
    appendRows(tables, [...late.map(({ delivered }) => delivered), ...(step.recorded ?? [])])
    return lastSeq
  }
}

/** The approvals that the step changes, in their new state. */
function approvalsAfter(tables: Tables, step: Step): Map<string, Approval> {
  const changed = new Map<string, Approval>()
  for (const approval of step.opened ?? []) {
    if (!tables.approvals.has(approval.id) && !changed.has(approval.id)) changed.set(approval.id, approval)
  }
  const pending = (approvalId: ApprovalKey): Approval => {
    const approval = changed.get(approvalId) ?? tables.approvals.get(approvalId)
    if (approval?.sessionId !== step.sessionId) throw noApprovalError(approvalId)
    if (approval.status !== 'pending') throw alreadySettledError(copyOf(approval))
    return approval
  }
  for (const { approvalId, by, to, note } of step.escalated ?? []) {
    const approval = pending(approvalId)
    const escalations = [...(approval.escalations ?? []), { by, to, ...definedFields({ note }), at: step.at }]
    changed.set(approvalId, { ...approval, escalations })
  }
  for (const { approvalId, until } of step.extended ?? [])
    changed.set(approvalId, { ...pending(approvalId), extendedUntil: until })
  for (const { approvalId, ...settlement } of step.settled ?? []) {
    const { extendedUntil: _, ...approval } = pending(approvalId)
    changed.set(approvalId, { ...approval, ...settlement, settledAt: step.at })
  }
  for (const id of step.byHook ?? []) {
    const approval = changed.get(id) ?? tables.approvals.get(id)
    if (approval?.end === 'answered in the terminal')
      changed.set(id, { ...approval, end: 'decided by a hook' })
  }
  for (const { approvalId, by } of step.superseded ?? []) {
    const approval = changed.get(approvalId) ?? tables.approvals.get(approvalId)
    if (approval?.sessionId === step.sessionId && approval.status === 'withdrawn')
      changed.set(approvalId, { ...approval, supersededBy: by })
  }
  for (const { approvalId: id } of step.acknowledged ?? []) {
    const approval = changed.get(id) ?? tables.approvals.get(id)
    if (approval) changed.set(id, { ...approval, delivery: 'acknowledged' })
  }
  return changed
}

function appendEvents(tables: Tables, step: Step, lastSeq: number): void {
  const kept = tables.events.get(step.sessionId) ?? []
  let seq = lastSeq
  for (const { turn, event } of step.events) {
    seq += 1
    kept.push({ seq, turn, at: step.at, payload: JSON.stringify(event) })
  }
  tables.events.set(step.sessionId, kept)
}
