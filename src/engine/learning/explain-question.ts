import { AppError } from '../../base/errors.ts'
import { type Caller, mayReadRecord } from '../../callers/access-rules.ts'
import type { Desk } from '../../approvals/desk.ts'
import { StoredVerdict } from '../../rules/verdict.ts'
import type { Store } from '../../sessions/record/store.ts'
import { findQuestion } from '../questions/answer-question.ts'
import { partsOfShortId } from '../questions/short-id.ts'
import { definedFields } from '../../base/defined-fields.ts'

/** Why a question was decided as it was. */
export interface Explanation {
  /** `record`: the question itself is gone, and the record still says it. */
  readonly source: 'question' | 'record'
  readonly approvalId: string
  readonly status: string
  /** How it ended in its terminal, if it was asked in one and not answered here. */
  readonly end?: string | undefined
  readonly by?: string | undefined
  readonly via?: string | undefined
  readonly at?: number | undefined
  /** The rule that decided it, or had it asked; absent if no rule did. */
  readonly verdict?: StoredVerdict | undefined
}

interface ExplainDeps {
  readonly store: Store
  readonly desk: Desk
}

/** Also for a question whose session was removed, or that retention has deleted: as long as the record has its rows. */
export async function explainQuestion(
  deps: ExplainDeps,
  caller: Caller,
  { approvalId }: { approvalId: string },
): Promise<Explanation> {
  try {
    const { approval } = await findQuestion(deps, caller, { approvalId }, 'read')
    const { id, status, end, by, via, settledAt, verdict } = approval
    return {
      source: 'question',
      approvalId: id,
      status,
      ...definedFields({ end, by, via, at: settledAt, verdict }),
    }
  } catch (error) {
    const isGone = error instanceof AppError && error.code === 'not_found'
    const found = isGone && mayReadRecord(caller) ? await fromRecord(deps.store, approvalId) : undefined
    if (found) return found
    throw error
  }
}

async function fromRecord(store: Store, named: string): Promise<Explanation | undefined> {
  const approvalId = (await idInRecord(store, named)) ?? named
  const rows = await store.record.latest({ approval: approvalId, limit: MAX_ROWS })
  const bodies = rows.map(({ kind, at, body }) => ({ kind, at, body: fieldsOf(body) }))
  const settled = bodies.find(({ kind }) => kind === 'settled') ?? bodies.find(({ kind }) => kind === 'asked')
  if (!settled) return undefined
  const { status, end, by, via, verdict } = settled.body
  return {
    source: 'record',
    approvalId,
    status: textOf(status) ?? 'asked',
    at: settled.at,
    ...definedFields({
      end: textOf(end),
      by: textOf(by),
      via: textOf(via),
      verdict: StoredVerdict.safeParse(verdict).data,
    }),
  }
}

/** The id of the question `NAME.N` of a session, also of one that was removed; the latest of that name. */
async function idInRecord(store: Store, named: string): Promise<string | undefined> {
  const parts = partsOfShortId(named)
  if (!parts) return undefined
  const session =
    (await store.sessions.byName(parts.session))?.id ?? (await removedSession(store, parts.session))
  // Its questions are counted from its first row; where that was cut, the number of none is known.
  const begun =
    session === undefined ? [] : await store.record.read({ session, kind: 'session-started', limit: 1 })
  if (session === undefined || begun.length === 0) return undefined
  let after: number | undefined
  let left = parts.number
  for (;;) {
    const rows = await store.record.read({ session, kind: 'asked', after, limit: MAX_ROWS })
    const row = rows[left - 1]
    if (row) return textOf(fieldsOf(row.body)['approvalId'])
    left -= rows.length
    after = rows.at(-1)?.number
    if (rows.length < MAX_ROWS) return undefined
  }
}

async function removedSession(store: Store, name: string): Promise<string | undefined> {
  let before: number | undefined
  for (;;) {
    const rows = await store.record.latest({ kind: 'session-removed', before, limit: MAX_ROWS })
    for (const { body } of rows) {
      const { session, name: named } = fieldsOf(body)
      const id = textOf(session)
      if (id !== undefined && (named === name || id.startsWith(name))) return id
    }
    before = rows.at(-1)?.number
    if (rows.length < MAX_ROWS) return undefined
  }
}

function fieldsOf(body: string): Readonly<Record<string, unknown>> {
  const value: unknown = JSON.parse(body)
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

const MAX_ROWS = 500
