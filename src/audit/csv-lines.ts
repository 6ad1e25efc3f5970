import { withEscapes } from '../text/visible-json.ts'
import { visibleText } from '../text/visible-text.ts'
import type { RecordRow } from './record-row.ts'

/** The columns of the record as CSV, and where in the body of a row each is found. */
const BODY_COLUMNS = [
  'session',
  'owner',
  'approvalId',
  'tool',
  'cwd',
  'mode',
  'status',
  'by',
  'via',
  'rule',
  'shownSha256',
  'ranSha256',
] as const

export const CSV_HEADER = ['number', 'time', 'kind', ...BODY_COLUMNS, 'previous', 'hash', 'body'].join(',')

export function csvLine({ number, at, kind, body, previous, hash }: RecordRow): string {
  const fields: Readonly<Record<string, unknown>> = JSON.parse(body)
  const cells = BODY_COLUMNS.map((name) => visibleText(textOf(fields[name])))
  const time = new Date(at).toISOString()
  return [String(number), time, kind, ...cells, previous, hash, withEscapes(body)].map(csvCell).join(',')
}

function textOf(value: unknown): string {
  if (value === undefined) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** A spreadsheet would run a cell that begins like a formula, and the text is a child's. */
function csvCell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n']/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
