import { definedFields } from '../../base/defined-fields.ts'
import type { Journal, Step } from '../../sessions/record/journal.ts'
import {
  acknowledgeApproval,
  escalateApproval,
  extendApproval,
  openApproval,
  noteHook,
  settleApproval,
  supersedeApproval,
} from './tables/approvals.ts'
import type { Connection } from './connection/connection.ts'
import { addCost } from './tables/costs.ts'
import { insertEvent } from './tables/events.ts'
import { noteStep } from './tables/feed.ts'
import { addGrant, endGrant } from './tables/grants.ts'
import { putNode } from './tables/nodes.ts'
import type { EventRow } from './tables/recent/recent-events.ts'
import type { Recent } from './tables/recent/recent-steps.ts'
import { appendRows, type RecordNews } from './tables/record.ts'
import { putRun } from './tables/runs.ts'
import { createSession, inSession, takeSeqs } from './tables/sessions.ts'
import { putTurn } from './tables/turns.ts'

export function sqliteJournal(db: Connection, recent: Recent, news: RecordNews): Journal {
  const onCommitted = (stored: readonly Stored[]) => {
    stored.forEach((one) => keepRecent(recent, one))
    news.added(stored.reduce((sum, { recorded }) => sum + recorded, 0))
  }
  return {
    append: async (given, { durable } = {}) => {
      const steps = [given].flat()
      const write = () => steps.map((step) => inSession(step.sessionId, () => store(db, step)))
      return (await db.grouped(write, { durable, onCommitted })).at(-1)?.last ?? 0
    },
  }
}

interface Stored {
  readonly step: Step
  readonly last: number
  /** Its position in the feed, if it has events. */
  readonly position: number | undefined
  readonly rows: readonly EventRow[]
  /** The session's body, if the step changed it. */
  readonly body: string | undefined
  /** How many rows the record got. */
  readonly recorded: number
}

/** Inside a transaction. */
function store(db: Connection, step: Step): Stored {
  if (step.created) createSession(db, step.created)
  const taken = takeSeqs(db, step)
  const before = taken.last - step.events.length
  const rows = step.events.map(({ turn, event }, index) => ({
    seq: before + index + 1,
    turn,
    at: step.at,
    payload: JSON.stringify(event),
  }))
  for (const row of rows) insertEvent(db, taken.ref, row)
  const position = rows.length > 0 ? noteStep(db, taken.ref, taken.last, rows.length) : undefined
  for (const run of step.runs ?? []) putRun(db, run)
  for (const turn of step.turns ?? []) putTurn(db, turn)
  for (const node of step.nodes ?? []) putNode(db, node)
  for (const approval of step.opened ?? []) openApproval(db, approval)
  for (const escalated of step.escalated ?? []) escalateApproval(db, escalated, step)
  for (const extended of step.extended ?? []) extendApproval(db, extended, step)
  for (const superseded of step.superseded ?? []) supersedeApproval(db, superseded, step)
  for (const settlement of step.settled ?? []) settleApproval(db, settlement, step)
  for (const id of step.byHook ?? []) noteHook(db, id, step)
  for (const grant of step.granted ?? []) addGrant(db, grant)
  for (const { id, ...end } of step.endedGrants ?? []) endGrant(db, id, end)
  for (const spent of step.spent ?? []) addCost(db, step.sessionId, step.at, spent)
  const late = (step.acknowledged ?? []).flatMap(({ approvalId, delivered }) =>
    acknowledgeApproval(db, approvalId) === 'not noted as sent' ? [delivered] : [],
  )
  const recorded = appendRows(db, [...late, ...(step.recorded ?? [])])
  return { step, last: taken.last, position, rows, body: taken.body, recorded }
}

function keepRecent({ sessions, events, steps }: Recent, { step, last, position, rows, body }: Stored): void {
  const { sessionId, at, runs = [] } = step
  sessions.change(sessionId, { last_seq: last, updated_at: at, ...definedFields({ body }) })
  if (position !== undefined) steps.add({ n: position, id: sessionId, last, count: rows.length })
  if (runs.some(({ endedAt }) => endedAt !== undefined)) events.forget(sessionId)
  else if (runs.length > 0) events.begin(sessionId)
  events.add(sessionId, rows)
}
