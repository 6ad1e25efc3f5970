import { exportLine } from '../../audit/export-lines.ts'
import { notesIn } from '../../audit/checkpoint-note.ts'
import { recordedCaller } from '../../audit/recorded-caller.ts'
import { recordItems } from '../../audit/record-items.ts'
import type { RecordReport } from '../../audit/record-report.ts'
import type { RecordRow } from '../../audit/record-row.ts'
import type { NoteVerifier } from '../../audit/signed-note.ts'
import { RecordCheck } from '../../audit/verify-record.ts'
import { definedFields } from '../../base/defined-fields.ts'
import { AppError } from '../../base/errors.ts'
import { isUuid, type SessionKey } from '../../base/ids.ts'
import { type Caller, mayReadRecord } from '../../callers/access-rules.ts'
import { removedSession } from '../sessions/session-names.ts'
import type { Store } from '../../sessions/record/store.ts'

/** A row of the record, with its body as an object. */
export interface RecordRowView extends Omit<RecordRow, 'body'> {
  readonly body: Readonly<Record<string, unknown>>
}

export interface ListRecord {
  /** The name or the id of a session, also of one that was removed. */
  readonly sessionId?: SessionKey | undefined
  readonly approvalId?: string | undefined
  readonly kind?: string | undefined
  /** Only rows with a smaller number. */
  readonly before?: number | undefined
  readonly limit?: number | undefined
}

export interface ExportRecord {
  readonly after?: number | undefined
  readonly until?: number | undefined
}

export interface RecordPage {
  /** The rows and the checkpoints between them, one line of JSON each. */
  readonly lines: readonly string[]
  /** Where the next page begins, if there is one. */
  readonly next?: number | undefined
  /** The last row of the whole export: give it back with the next page. */
  readonly until: number
}

export interface RecordVerbDeps {
  readonly store: Store
  readonly recordKey?: NoteVerifier | undefined
}

const MAX_ROWS = 500

export async function listRecord(
  { store }: RecordVerbDeps,
  caller: Caller,
  { sessionId, limit = 20, ...input }: ListRecord,
): Promise<RecordRowView[]> {
  await noteRead(store, caller, { what: 'list', sessionId, limit, ...input })
  const { approvalId: approval, kind, before } = input
  const session = sessionId && (await sessionNamed(store, sessionId))
  const filter = { session, approval, kind, before, limit: Math.min(limit, MAX_ROWS) }
  return (await store.record.latest(filter)).map(viewOf)
}

/** Also one that was removed; of several that had the name, the one that has it now, else the latest. */
async function sessionNamed(store: Store, named: SessionKey): Promise<SessionKey> {
  if (isUuid(named)) return named
  return (await store.sessions.byName(named))?.id ?? (await removedSession(store, named)) ?? named
}

/** One row, and with it all rows about the same question. */
export async function getRecordRow(
  { store }: RecordVerbDeps,
  caller: Caller,
  { number }: { number: number },
): Promise<{ row: RecordRowView; related: RecordRowView[] }> {
  await noteRead(store, caller, { what: 'row', number })
  const found = await store.record.get(number)
  if (!found) throw new AppError('not_found', `There is no row ${number} in the record; list its rows.`)
  const row = viewOf(found)
  const { approvalId } = row.body
  const about = typeof approvalId === 'string' ? approvalId : undefined
  const all = about === undefined ? [] : await store.record.read({ approval: about, limit: MAX_ROWS })
  return { row, related: all.filter((one) => one.number !== number).map(viewOf) }
}

/** A page of the whole record, as it can be checked elsewhere. */
export async function exportRecord(
  { store }: RecordVerbDeps,
  caller: Caller,
  { after = 0, until }: ExportRecord,
): Promise<RecordPage> {
  requireReader(caller)
  const last = until ?? (await endOf(store))
  await note(store, caller, 'exported', { after, until: last })
  for await (const items of recordItems(store.record, { after, until: last })) {
    const rows = items.flatMap((item) => ('row' in item ? [item.row.number] : []))
    const next = rows.at(-1)
    const isLast = next === undefined || next >= last
    return { lines: items.map(exportLine), until: last, ...(isLast ? {} : { next }) }
  }
  return { lines: [], until: last }
}

export async function verifyRecord(
  { store, recordKey }: RecordVerbDeps,
  caller: Caller,
  { anchors = '' }: { anchors?: string | undefined },
): Promise<RecordReport> {
  requireReader(caller)
  const until = await endOf(store)
  await noteRead(store, caller, { what: 'check', until })
  const check = new RecordCheck({ verifier: recordKey, anchors: notesIn(anchors) })
  for await (const items of recordItems(store.record, { until })) for (const item of items) check.add(item)
  return check.report()
}

/** As far as rows or checkpoints go: a checkpoint beyond the last row shows that rows are missing. */
async function endOf({ record }: Store): Promise<number> {
  return Math.max((await record.head()).number, (await record.lastCheckpoint())?.size ?? 0)
}

function viewOf({ body, ...row }: RecordRow): RecordRowView {
  return { ...row, body: JSON.parse(body) }
}

function requireReader(caller: Caller): void {
  if (mayReadRecord(caller)) return
  throw new AppError(
    'forbidden',
    'Only the operator and the devices of a person read the record; decisions lists what you may see.',
  )
}

async function noteRead(store: Store, caller: Caller, query: object): Promise<void> {
  requireReader(caller)
  await note(store, caller, 'read', query)
}

/** Stored before anything is returned. */
async function note(store: Store, caller: Caller, kind: 'read' | 'exported', query: object): Promise<void> {
  const by = { by: caller.name, caller: recordedCaller(caller), ...definedFields({ via: caller.via }) }
  await store.record.append([{ kind, at: Date.now(), body: { query: definedFields(query), ...by } }])
}
