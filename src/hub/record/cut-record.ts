import { checkpointIn } from '../../audit/checkpoint-note.ts'
import type { RecordStore } from '../../audit/record-store.ts'

interface CutDeps {
  readonly record: RecordStore
  /** Signs every row that is there. */
  readonly sign: () => Promise<void>
}

const PAGE = 500

/**
 * Removes rows that are older than the limit, whole checkpoints only. First a row says what is cut, then that row is signed, and
 * only then the rows go: a crash leaves more than it should, never less than what a signed row says. The next time continues.
 */
export async function cutRecord(
  { record, sign }: CutDeps,
  keptMs: number | undefined,
  now = Date.now(),
): Promise<void> {
  if (keptMs !== undefined) await announceCut({ record, sign }, now - keptMs, now)
  const to = await signedCut(record)
  if (to !== undefined && (await record.get(to))) await record.cut(to)
}

async function announceCut({ record, sign }: CutDeps, cutoff: number, now: number): Promise<void> {
  const [first] = await record.read({ limit: 1 })
  const oldest = await lastBefore(record, cutoff)
  const announced = await announcedCut(record)
  if (!first || !oldest || oldest.size < first.number || oldest.size <= (announced?.to ?? 0)) return
  const head = checkpointIn(oldest.note)?.head
  const body = { to: oldest.size, head, checkpointAt: oldest.at, by: 'keep_record_days' }
  await record.append([{ kind: 'cut', at: now, body }])
  await sign()
}

/** The largest checkpoint that, with all checkpoints before it, was signed before the cutoff: a clock may have been set back. */
async function lastBefore(record: RecordStore, cutoff: number) {
  let last
  for (let after = 0; ;) {
    const page = await record.checkpoints({ after, until: Number.MAX_SAFE_INTEGER, limit: PAGE })
    for (const checkpoint of page) {
      if (checkpoint.at >= cutoff) return last
      last = checkpoint
    }
    if (page.length < PAGE) return last
    after = page.at(-1)?.size ?? after
  }
}

async function announcedCut(record: RecordStore): Promise<{ to: number; number: number } | undefined> {
  const [row] = await record.latest({ kind: 'cut', limit: 1 })
  if (!row) return undefined
  const { to }: { to: number } = JSON.parse(row.body)
  return { to, number: row.number }
}

/** How far a signed row says that rows are cut. */
async function signedCut(record: RecordStore): Promise<number | undefined> {
  const announced = await announcedCut(record)
  const { size = 0 } = (await record.lastCheckpoint()) ?? {}
  return announced && announced.number <= size ? announced.to : undefined
}
