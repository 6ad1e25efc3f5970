import { type EndedQuestion, endOf } from '../../approvals/ends/question-end.ts'
import { STORED_ENDS } from '../../base/answer-via.ts'
import { definedFields } from '../../base/defined-fields.ts'
import { StoredVerdict } from '../../rules/verdict.ts'
import type { Store } from '../../sessions/record/store.ts'
import { partsOfShortId } from '../../approvals/short-id.ts'
import { removedSession } from '../sessions/session-names.ts'

/** Why a question was decided as it was. */
export interface Explanation {
  /** `record`: the question itself is gone, and the record still says it. */
  readonly source: 'question' | 'record'
  readonly approvalId: string
  readonly status: string
  /** How it ended, in words; absent while it is open. */
  readonly end?: string | undefined
  readonly by?: string | undefined
  readonly via?: string | undefined
  readonly at?: number | undefined
  /** The rule that decided it, or had it asked; absent if no rule did. */
  readonly verdict?: StoredVerdict | undefined
}

/** What the record says of a question, of a row by its number, or of the question `NAME.N` of a session that is gone. */
export async function explainFromRecord(store: Store, named: string): Promise<Explanation | undefined> {
  const row = /^[1-9]\d{0,14}$/.test(named) ? await store.record.get(Number(named)) : undefined
  const fields = row ? fieldsOf(row.body) : {}
  // What no question was about has no other row: our hook refused it, or it ran unasked.
  if (row && fields['approvalId'] === undefined) return withoutQuestion(row, fields)
  const approvalId = textOf(fields['approvalId']) ?? (await idInRecord(store, named)) ?? named
  const rows = await store.record.latest({ approval: approvalId, limit: MAX_ROWS })
  const bodies = rows.map(({ kind, at, body }) => ({ kind, at, body: fieldsOf(body) }))
  const settled = bodies.find(({ kind }) => kind === 'settled') ?? bodies.find(({ kind }) => kind === 'asked')
  if (!settled) return undefined
  const { status, by, via, verdict } = settled.body
  const isSettled = settled.kind === 'settled'
  return {
    source: 'record',
    approvalId,
    status: textOf(status) ?? 'asked',
    at: settled.at,
    ...definedFields({
      end: isSettled ? endOf(endedIn(settled.body)) : undefined,
      by: textOf(by),
      via: textOf(via),
      verdict: StoredVerdict.safeParse(verdict).data ?? askedVerdict(bodies),
    }),
  }
}

/** A decision that nobody was asked about. */
function withoutQuestion({ kind, at }: { kind: string; at: number }, body: Fields): Explanation | undefined {
  const words = WITHOUT_QUESTION.get(kind)
  if (words === undefined) return undefined
  const verdict = StoredVerdict.safeParse(body['verdict']).data
  // The rule of `allowedTools` by which Claude Code ran it, or the caller who revoked it.
  const by = textOf(body['rule']) ?? textOf(body['by'])
  const isKnown = kind === 'unasked' && !verdict && by === undefined
  const end = isKnown ? `${words}: neither Plexus nor Claude Code asks about such a call` : words
  return { source: 'record', approvalId: '', status: kind, end, at, ...definedFields({ verdict, by }) }
}

/** A rule that had it asked is in the row of the question, not in that of the answer. */
function askedVerdict(rows: readonly { readonly kind: string; readonly body: Fields }[]) {
  return StoredVerdict.safeParse(rows.find(({ kind }) => kind === 'asked')?.body['verdict']).data
}

/** What the row of an answer keeps of it. */
function endedIn(body: Fields): EndedQuestion {
  const end = STORED_ENDS.find((one) => one === body['end'])
  const action = FORM_ACTIONS.find((one) => one === body['action'])
  return {
    status: textOf(body['status']) ?? '',
    ...definedFields({ kind: textOf(body['question']), via: textOf(body['via']), end }),
    ...(body['behavior'] === 'form' && action ? { decision: { behavior: 'form', action } } : {}),
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

type Fields = Readonly<Record<string, unknown>>

function fieldsOf(body: string): Fields {
  const value: unknown = JSON.parse(body)
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** Rows of decisions about what was no question, in words. */
const WITHOUT_QUESTION: ReadonlyMap<string, string> = new Map([
  ['hook-denied', 'a call that was denied without a question'],
  ['unasked', 'a call that ran without a question'],
  ['refused', 'a call that Claude Code refused'],
  ['call-refused', 'a call to the hub that was not allowed'],
  ['grant-expired', 'an end of what was remembered: its time was over'],
  ['grant-revoked', 'an end of what was remembered: it was revoked'],
])
const FORM_ACTIONS = ['accept', 'decline', 'cancel'] as const
const MAX_ROWS = 500
