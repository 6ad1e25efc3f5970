import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Store } from '../store/store.ts'

export interface Ages {
  /** Raw output of processes that have ended, in ms; all of it is in the log too. */
  readonly runMs: number
  /** Questions that were settled; the log keeps what became of them. */
  readonly approvalMs: number
}

export const USUAL_AGES: Ages = { runMs: 24 * 3_600_000, approvalMs: 30 * 24 * 3_600_000 }

/** Removes what nobody needs any more. A folder whose run we do not know is young or somebody's mistake: age decides. */
export async function cleanUp(store: Store, home: string, ages: Ages, now = Date.now()): Promise<void> {
  await store.approvals.removeSettledBefore(now - ages.approvalMs)
  const runs = join(home, 'runs')
  for (const id of await readdir(runs).catch(() => [])) {
    const run = await store.runs.get(id)
    const endedAt = run ? run.endedAt : (await stat(join(runs, id)).catch(() => undefined))?.mtimeMs
    if (endedAt !== undefined && endedAt < now - ages.runMs)
      await rm(join(runs, id), { recursive: true, force: true })
  }
}
