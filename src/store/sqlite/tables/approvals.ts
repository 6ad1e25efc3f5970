import type { ApprovalKey, SessionKey } from '../../../base/ids.ts'
import { alreadySettledError } from '../../../approvals/already-settled-error.ts'
import type { Approval, Escalation, Settlement } from '../../../approvals/approval.ts'
import type { ApprovalStore, PendingId } from '../../../approvals/approval-store.ts'
import { definedFields } from '../../../base/defined-fields.ts'
import type { TerminalEnd } from '../../../base/answer-via.ts'
import { noApprovalError } from '../../store-errors.ts'
import type { Connection } from '../connection/connection.ts'
import { appendRows, type RecordNews } from './record.ts'

interface Row {
  status: Approval['status']
  settled_at: number | null
  delivery: Approval['delivery']
  settlement: string
  question: string
}

interface PendingRow extends Pick<Approval, 'id' | 'sessionId'> {
  bytes: number
  settlement: string
}

const SELECT = 'SELECT status, settled_at, delivery, settlement, question FROM approvals'
// The index by status has the rows in the order of `n` only where `settled_at`, its second column, is the same.
const PENDING = `status = 'pending' AND settled_at IS NULL`
const EARLIER = { none: [], sent: ['none'], acknowledged: ['none', 'sent'] } as const

/** Without the name of the index, SQLite reads all that is pending. Of one session it needs no list of them. */
const PENDING_OF = `${SELECT} INDEXED BY approvals_pending WHERE status = 'pending' AND session_id`
const OF_ONE = `${PENDING_OF} = ? ORDER BY n`
const OF_SEVERAL = `${PENDING_OF} IN (SELECT value FROM json_each(?)) ORDER BY n`

function pendingOf(sessionIds: readonly string[]): [sql: string, values: readonly string[]] {
  return sessionIds.length === 1 ? [OF_ONE, sessionIds] : [OF_SEVERAL, [JSON.stringify(sessionIds)]]
}

export function sqliteApprovals(db: Connection, news: RecordNews): ApprovalStore {
  const select = (condition: string, ...values: (string | number)[]) =>
    db.all(`${SELECT} WHERE ${condition}`, values).map(approvalOf)
  return {
    get: async (id) => select('id = ?', id)[0],
    ofToolUse: async (sessionId, toolUseId) =>
      select('session_id = ? AND tool_use_id = ? ORDER BY n', sessionId, toolUseId),
    ofNumber: async (sessionId, number) =>
      select(`session_id = ? AND json_extract(question, '$.number') = ?`, sessionId, number)[0],
    pending: async (sessionIds) =>
      sessionIds ? db.all(...pendingOf(sessionIds)).map(approvalOf) : select(`${PENDING} ORDER BY n`),
    pendingIds: async () =>
      // SQLite knows the number of bytes without reading them.
      db
        .all(
          `SELECT id, session_id AS sessionId, octet_length(question) AS bytes, settlement
           FROM approvals WHERE ${PENDING} ORDER BY n`,
        )
        .map(pendingIdOf),
    settled: async ({ sessionIds, owner, before, limit, withoutTerminals }) => {
      const conditions = ["status <> 'pending'"]
      if (withoutTerminals) conditions.push(`json_extract(question, '$.carrier') <> 'terminal'`)
      const values: (string | number)[] = []
      const add = (condition: string, value: string | undefined) => {
        if (value === undefined) return
        conditions.push(condition)
        values.push(value)
      }
      add('session_id IN (SELECT value FROM json_each(?))', sessionIds && JSON.stringify(sessionIds))
      add('session_id IN (SELECT id FROM sessions WHERE owner = ?)', owner)
      add('n < (SELECT n FROM approvals WHERE id = ?)', before)
      const text = `${SELECT} WHERE ${conditions.join(' AND ')} ORDER BY n DESC LIMIT ?`
      return db.all(text, [...values, limit]).map(approvalOf)
    },
    countByStatus: async () => {
      const counts = { pending: 0, allowed: 0, denied: 0, expired: 0, withdrawn: 0 }
      const rows: { status: Approval['status']; count: number }[] = db.all(
        'SELECT status, count(*) AS count FROM approvals GROUP BY status',
      )
      for (const { status, count } of rows) counts[status] = count
      return counts
    },
    setDelivery: async (id, delivery, recorded) => {
      const write = () => {
        const rows = deliverApproval(db, id, delivery) && recorded ? [recorded] : []
        return appendRows(db, rows)
      }
      await db.grouped(write, { onCommitted: (rows) => news.added(rows) })
    },
    removeSettledBefore: async (at) =>
      db.run(
        `DELETE FROM approvals WHERE status IN ('allowed', 'denied', 'expired', 'withdrawn') AND settled_at < ?`,
        [at],
      ),
  }
}

export function openApproval(db: Connection, approval: Approval): void {
  const { status, decision, by, level, via, settledAt, delivery, extendedUntil, timeoutMs, ...question } =
    approval
  // They stay with the question, and a new hub reads them for each that is open.
  const { held, flood } = question
  db.run(
    `INSERT INTO approvals (id, session_id, tool_use_id, status, settled_at, delivery, settlement, question)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING`,
    [
      question.id,
      question.sessionId,
      question.toolUseId ?? null,
      status,
      settledAt ?? null,
      delivery,
      JSON.stringify({
        decision,
        by,
        level,
        via,
        extendedUntil,
        timeoutMs,
        ...definedFields({ held, flood }),
      }),
      JSON.stringify(question),
    ],
  )
}

/** One statement decides which answer wins; a later answer changes no row. */
export function settleApproval(
  db: Connection,
  { approvalId, status, ...settlement }: Settlement,
  { sessionId, at }: { sessionId: SessionKey; at: number },
): void {
  const won = db.run(
    `UPDATE approvals SET status = ?, settled_at = ?, settlement = ?
     WHERE id = ? AND session_id = ? AND status = 'pending'`,
    [status, at, JSON.stringify(settlement), approvalId, sessionId],
  )
  if (won === 1) return
  throw alreadySettledError(approvalOf(rowIn(db, approvalId, sessionId)))
}

/** Only says more about what was settled so; nothing is settled by it. */
export function noteHook(db: Connection, id: string, { sessionId }: { sessionId: SessionKey }): void {
  const seemed: TerminalEnd = 'answered in the terminal'
  const was: TerminalEnd = 'decided by a hook'
  db.run(
    `UPDATE approvals SET settlement = json_set(settlement, '$.end', ?)
     WHERE id = ? AND session_id = ? AND json_extract(settlement, '$.end') = ?`,
    [was, id, sessionId, seemed],
  )
}

export function escalateApproval(
  db: Connection,
  { approvalId, by, to, note }: { approvalId: ApprovalKey } & Omit<Escalation, 'at'>,
  { sessionId, at }: { sessionId: SessionKey; at: number },
): void {
  const row = rowIn(db, approvalId, sessionId)
  if (row.status !== 'pending') throw alreadySettledError(approvalOf(row))
  const question: Pick<Approval, 'escalations'> = JSON.parse(row.question)
  const escalations = [...(question.escalations ?? []), { by, to, ...definedFields({ note }), at }]
  db.run('UPDATE approvals SET question = ? WHERE id = ?', [
    JSON.stringify({ ...question, escalations }),
    approvalId,
  ])
}

/** Stored where the settlement will be: that is small, and a new hub reads it for each open question. */
export function extendApproval(
  db: Connection,
  { approvalId, until }: { approvalId: ApprovalKey; until: number },
  { sessionId }: { sessionId: SessionKey },
): void {
  const changed = db.run(
    `UPDATE approvals SET settlement = json_set(settlement, '$.extendedUntil', ?)
     WHERE id = ? AND session_id = ? AND status = 'pending'`,
    [until, approvalId, sessionId],
  )
  if (changed === 0) throw alreadySettledError(approvalOf(rowIn(db, approvalId, sessionId)))
}

function rowIn(db: Connection, id: string, sessionId: SessionKey): Row {
  const row: Row | undefined = db.get(`${SELECT} WHERE id = ? AND session_id = ?`, [id, sessionId])
  if (row) return row
  throw noApprovalError(id)
}

/** Only what was withdrawn: an answer stands, whatever is asked later. */
export function supersedeApproval(
  db: Connection,
  { approvalId, by }: { approvalId: ApprovalKey; by: ApprovalKey },
  { sessionId }: { sessionId: SessionKey },
): void {
  db.run(
    `UPDATE approvals SET settlement = json_set(settlement, '$.supersededBy', ?)
     WHERE id = ? AND session_id = ? AND status = 'withdrawn'`,
    [by, approvalId, sessionId],
  )
}

/** Not by SQL, which takes longer to extract four fields than for all else in the row. */
function pendingIdOf({ id, sessionId, bytes, settlement }: PendingRow): PendingId {
  const { extendedUntil, timeoutMs, held, flood }: SettlementColumn = JSON.parse(settlement)
  return { id, sessionId, bytes, ...definedFields({ extendedUntil, timeoutMs, held, flood }) }
}

type SettlementColumn = Omit<Settlement, 'approvalId' | 'status'> &
  Pick<Approval, 'extendedUntil' | 'timeoutMs' | 'supersededBy' | 'held' | 'flood'>

function approvalOf(row: Row): Approval {
  const question: Omit<Approval, 'status' | 'delivery'> = JSON.parse(row.question)
  const settlement: SettlementColumn = JSON.parse(row.settlement)
  const { status, delivery } = row
  // Not spread: each such object would have a shape of its own, and reading thousands of them would take twice as long.
  return Object.assign(question, { status }, settlement, definedFields({ settledAt: row.settled_at }), {
    delivery,
  })
}

/** The child has acted on the decision. Mostly it is noted as sent by then, so that is tried first. */
export function acknowledgeApproval(db: Connection, id: string): 'done' | 'not noted as sent' {
  const from = (delivery: string) =>
    db.run(`UPDATE approvals SET delivery = 'acknowledged' WHERE id = ? AND delivery = ?`, [id, delivery])
  return from('sent') === 0 && from('none') > 0 ? 'not noted as sent' : 'done'
}

/** The delivery status only moves forward. */
function deliverApproval(db: Connection, id: string, delivery: Approval['delivery']): boolean {
  const earlier = EARLIER[delivery].map((name) => `'${name}'`)
  const sql = `UPDATE approvals SET delivery = ? WHERE id = ? AND delivery IN (${earlier.join(', ')})`
  return db.run(sql, [delivery, id]) > 0
}
