import { setImmediate } from 'node:timers/promises'
import type { RecordStore } from './record-store.ts'
import type { RecordItem } from './verify-record.ts'

const PAGE = 500

/** The record in the order in which it is checked and exported, a page at a time; other work is let in between. */
export async function* recordItems(
  record: Pick<RecordStore, 'read' | 'checkpoints' | 'head'>,
  { after = 0, until }: { after?: number; until?: number } = {},
): AsyncGenerator<readonly RecordItem[], void> {
  const last = until ?? (await record.head()).number
  // A cut leaves the checkpoint that it ends with: it comes before the first row.
  let from = after
  for (;;) {
    const rows = (await record.read({ after: from, limit: PAGE })).filter((row) => row.number <= last)
    const end = rows.length < PAGE ? (until ?? Number.MAX_SAFE_INTEGER) : (rows.at(-1)?.number ?? last)
    const notes = await allNotes(record, from, end)
    const items: RecordItem[] = []
    let next = 0
    const addNotesBelow = (number: number) => {
      for (; (notes[next]?.size ?? Infinity) < number; next++)
        items.push({ checkpoint: notes[next]?.note ?? '' })
    }
    for (const row of rows) {
      addNotesBelow(row.number)
      items.push({ row })
    }
    addNotesBelow(Infinity)
    if (items.length > 0) yield items
    if (rows.length < PAGE) return
    from = end
    await setImmediate()
  }
}

async function allNotes(record: Pick<RecordStore, 'checkpoints'>, after: number, until: number) {
  const notes = []
  for (let from = after; ;) {
    const page = await record.checkpoints({ after: from, until, limit: PAGE })
    notes.push(...page)
    if (page.length < PAGE) return notes
    from = page.at(-1)?.size ?? until
  }
}
