import { hash } from 'node:crypto'
import { canonicalJson } from '../text/canonical-json.ts'

/** What a row of the record says has happened. */
export const RECORD_KINDS = [
  'session-started',
  'session-removed',
  'asked',
  'escalated',
  'extended',
  'settled',
  'delivered',
  'ran',
  'unasked',
  'refused',
  'hook-denied',
  'call-refused',
  'grant-expired',
  'grant-revoked',
  'read',
  'exported',
  'cut',
] as const
export type RecordKind = (typeof RECORD_KINDS)[number]

/** What is to be recorded; the store gives it its number and its hash. */
export interface RecordEntry {
  readonly kind: RecordKind
  readonly at: number
  readonly body: Readonly<Record<string, unknown>>
}

/** The end of a chain: the number and the hash of its last row. */
export interface RecordHead {
  readonly number: number
  readonly hash: string
}

/** A stored row. Each carries the hash of the row before it, so that no earlier row can be changed alone. */
export interface RecordRow extends RecordHead {
  readonly at: number
  /** One of `RECORD_KINDS`, or a kind of a later version. */
  readonly kind: string
  /** Canonical JSON. */
  readonly body: string
  readonly previous: string
}

/** The head of a record without rows. */
export const NO_ROWS: RecordHead = { number: 0, hash: '0'.repeat(64) }

export function rowAfter(head: RecordHead, { kind, at, body }: RecordEntry): RecordRow {
  const row = { number: head.number + 1, at, kind, body: canonicalJson(body), previous: head.hash }
  return { ...row, hash: hashOfRow(row) }
}

/** The fields before the body cannot contain a line break, so that no two rows have the same text. */
export function hashOfRow({ number, at, kind, previous, body }: Omit<RecordRow, 'hash'>): string {
  return sha256Hex(`${number}\n${at}\n${kind}\n${previous}\n${body}`)
}

export function sha256Hex(text: string): string {
  return hash('sha256', text)
}
