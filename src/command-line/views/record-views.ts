import type { RecordRowView } from '../../engine/audit/record-verbs.ts'
import { visibleJson } from '../../text/visible-json.ts'
import type { Column } from './columns.ts'
import { localTime, oneLine } from './session-words.ts'

/** Rows of the record in columns. */
export function recordColumns(rows: readonly RecordRowView[]): Column[] {
  const column = (title: string, cellOf: (row: RecordRowView) => string): Column => ({
    title,
    cells: rows.map(cellOf),
  })
  return [
    column('ROW', ({ number }) => String(number)),
    column('WHEN', ({ at }) => localTime(at)),
    column('KIND', ({ kind }) => oneLine(kind)),
    column('SESSION', ({ body }) => textOf(body['name'] ?? textOf(body['session']).slice(0, 8))),
    column('BY', ({ body }) => textOf(body['by'] ?? body['owner'])),
    { ...column('WHAT', whatOf), flexible: true },
  ]
}

/** One row as a person reads it: a line for each field of its body. */
export function rowLines({ number, at, kind, previous, hash, body }: RecordRowView): string[] {
  const fields = Object.entries(body).map(([name, value]) => `  ${oneLine(name)}: ${textOf(value)}`)
  const head = `Row ${number}: ${oneLine(kind)}, ${localTime(at)}`
  return [head, ...fields, `  hash: ${oneLine(hash)}`, `  hash of the row before: ${oneLine(previous)}`]
}

export function rowJson({ at, ...row }: RecordRowView): object {
  return { ...row, time: new Date(at).toISOString() }
}

function whatOf({ body }: RecordRowView): string {
  const parts = [
    body['status'],
    body['tool'],
    body['input'] ?? body['approved'] ?? body['query'] ?? body['refused'],
  ]
  return parts
    .filter((part) => part !== undefined)
    .map(textOf)
    .join(' ')
}

/** The text of a child is never written raw to a terminal. */
function textOf(value: unknown): string {
  if (value === undefined) return ''
  return typeof value === 'string' ? oneLine(value) : visibleJson(value)
}
