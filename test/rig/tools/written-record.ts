import { checkpointNote } from '../../../src/audit/checkpoint-note.ts'
import { NO_ROWS, type RecordEntry, type RecordRow, rowAfter } from '../../../src/audit/record-row.ts'
import { newSignerText, type NoteSigner, noteSigner } from '../../../src/audit/signed-note.ts'
import type { RecordItem } from '../../../src/audit/verify-record.ts'

export function aSigner(seed = 1, name = 'plexus-record-test'): NoteSigner {
  return noteSigner(newSignerText(name, Buffer.alloc(32, seed)))
}

/** A record of so many rows, with a checkpoint after each of these. */
export function writtenRecord(
  size: number,
  {
    checkpoints = [],
    signer = aSigner(),
    mark = '',
  }: { checkpoints?: readonly number[]; signer?: NoteSigner; mark?: string } = {},
): { rows: RecordRow[]; notes: string[]; items: RecordItem[] } {
  const rows: RecordRow[] = []
  const notes: string[] = []
  const items: RecordItem[] = []
  for (let number = 1; number <= size; number++) {
    const entry: RecordEntry = {
      kind: 'asked',
      at: number * 1_000,
      body: { approvalId: `q${number}${mark}` },
    }
    const row = rowAfter(rows.at(-1) ?? NO_ROWS, entry)
    rows.push(row)
    items.push({ row })
    if (!checkpoints.includes(number)) continue
    const note = checkpointNote(signer, row, { previous: notes.at(-1), at: row.at })
    notes.push(note)
    items.push({ checkpoint: note })
  }
  return { rows, notes, items }
}

/** The rows of a record computed anew from some row on, as an attacker without the key could. */
export function recomputed(rows: readonly RecordRow[]): RecordRow[] {
  const result: RecordRow[] = []
  for (const { at, body, kind } of rows)
    result.push(
      rowAfter(result.at(-1) ?? NO_ROWS, { kind: kind as RecordEntry['kind'], at, body: JSON.parse(body) }),
    )
  return result
}
