import type { Journal, Step } from '../../sessions/journal.ts'
import { noSession } from '../refusals.ts'
import { deliverApproval, escalateApproval, openApproval, settleApproval } from './approvals.ts'
import type { Connection } from './connection.ts'
import { insertEvent } from './events.ts'
import { putNode } from './nodes.ts'
import { putRun } from './runs.ts'
import { inSession, updateSession } from './sessions.ts'
import { putTurn } from './turns.ts'

export function sqliteJournal(db: Connection): Journal {
  return {
    append: async (step, options) =>
      inSession(step.sessionId, () => db.transaction(() => store(db, step), options)),
  }
}

/** Inside a transaction: the seqs are taken from the session's row, so a step that fails gives them back. */
function store(db: Connection, step: Step): number {
  const taken: { ref: number; last: number } | undefined = db.get(
    'UPDATE sessions SET last_seq = last_seq + ?, updated_at = ? WHERE id = ? RETURNING ref, last_seq AS last',
    [step.events.length, step.at, step.sessionId],
  )
  if (!taken) throw noSession(step.sessionId)
  let seq = taken.last - step.events.length
  for (const { turn, event } of step.events) {
    seq += 1
    insertEvent(db, taken.ref, { seq, turn, at: step.at, event })
  }
  if (step.session) updateSession(db, step.session)
  for (const run of step.runs ?? []) putRun(db, run)
  for (const turn of step.turns ?? []) putTurn(db, turn)
  for (const node of step.nodes ?? []) putNode(db, node)
  for (const approval of step.opened ?? []) openApproval(db, approval)
  for (const escalated of step.escalated ?? []) escalateApproval(db, escalated, step)
  for (const settlement of step.settled ?? []) settleApproval(db, settlement, step)
  for (const id of step.acknowledged ?? []) deliverApproval(db, id, 'acknowledged')
  return taken.last
}
