import { isOwnSentence } from '../../approvals/ends/model-sentences.ts'
import { definedFields } from '../../base/defined-fields.ts'
import type { ClientHub } from '../../command-line/command.ts'
import type { Column } from '../../command-line/views/columns.ts'
import { callLine } from '../../command-line/views/question-views.ts'
import { localTime, oneLine, viaWords } from '../../command-line/views/session-words.ts'
import type { ListRecord, RecordRowView } from '../../engine/audit/record-verbs.ts'

/** A decision about a session that was removed, as far as the record has it: secrets are left out, and long texts cut. */
export interface RemovedDecision {
  readonly row: RecordRowView
  readonly input?: Readonly<Record<string, unknown>>
}

/** So many rows of each kind are read, the latest. */
const MAX_ROWS = 500

/** The latest first. To read the record is itself recorded, so it is read only for a person who asks for it. */
export async function removedDecisions(
  { engine, context }: ClientHub,
  { sessionId, limit }: { readonly sessionId: string | undefined; readonly limit: number },
): Promise<RemovedDecision[]> {
  const rowsOf = (kind: string, query: ListRecord = {}) =>
    engine.listRecord(context, { ...query, kind, limit: MAX_ROWS })
  const named = definedFields({ sessionId })
  const removed = new Set((await rowsOf('session-removed', named)).map(({ body }) => body['session']))
  if (removed.size === 0) return []
  const settled = (await rowsOf('settled', named)).filter(({ body }) => removed.has(body['session']))
  const asked = new Map((await rowsOf('asked', named)).map(({ body }) => [body['approvalId'], body['input']]))
  return settled.slice(0, limit).map((row) => {
    const input = asked.get(row.body['approvalId'])
    return { row, ...(isObject(input) ? { input } : {}) }
  })
}

export function removedColumns(decided: readonly RemovedDecision[]): Column[] {
  const column = (title: string, cellOf: (one: RemovedDecision) => string): Column => ({
    title,
    cells: decided.map(cellOf),
  })
  return [
    column('WHEN', ({ row }) => localTime(row.at).slice(5)),
    column('SESSION', ({ row: { body } }) => textOf(body['name'] ?? textOf(body['session']).slice(0, 8))),
    column('DECISION', endOfRow),
    column('BY', deciderOf),
    { ...column('WHAT', callOf), flexible: true },
  ]
}

/** The form of `plexus decisions --json`, with what the record keeps. */
export function removedJson({ row: { at, body }, input }: RemovedDecision): object {
  const {
    approvalId: id,
    session: sessionId,
    name,
    question: kind,
    tool,
    status,
    end,
    by,
    via,
    message,
  } = body
  const found = { id, sessionId, name, kind, toolName: tool, input, inputSha256: body['shownSha256'], status }
  return {
    ...definedFields({ ...found, end, by, via, message, approvedInput: body['approved'] }),
    settledAt: new Date(at).toISOString(),
    removed: true,
  }
}

/** As `endOf` says it of a question that is stored whole. */
function endOfRow({ row: { body } }: RemovedDecision): string {
  const [status, end] = [textOf(body['status']), textOf(body['end'])]
  if (end !== '') return end === 'dismissed' ? end : `${status}, ${end}`
  const isChoice = body['question'] === 'question'
  if (isChoice && status === 'allowed') return 'answered'
  if (isChoice && status === 'denied') return 'declined'
  return body['edited'] === true ? `${status}, edited` : status
}

function deciderOf({ row: { body } }: RemovedDecision): string {
  const way = body['via'] === undefined ? '' : `(${viaWords(textOf(body['via']))})`
  return `${textOf(body['by'])} ${way}`.trim() || '-'
}

/** What ran: of an edited call not what was asked. The question of the session itself may be older than the record. */
function callOf({ row: { body }, input }: RemovedDecision): string {
  const ran = body['edited'] === true && isObject(body['approved']) ? body['approved'] : input
  const toolName = textOf(body['tool'])
  if (!ran || body['question'] !== 'tool') return toolName
  const message = body['status'] === 'denied' ? textOf(body['message']) : ''
  // Without a reason the model reads our own sentence, which nobody gave.
  const reason = message === '' || isOwnSentence(message) ? '' : ` (reason: ${message})`
  return `${callLine({ kind: 'tool', toolName, input: ran, questions: [] })}${reason}`
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The text of a child is never written raw to a terminal. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? oneLine(value) : ''
}
