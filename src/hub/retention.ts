import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { removeSession } from '../sessions/remove-session.ts'
import type { SessionKey } from '../base/ids.ts'
import type { SessionStatus } from '../sessions/record/session.ts'
import type { SessionFilter } from '../sessions/record/session-store.ts'
import type { Supervisor } from '../sessions/supervisor.ts'
import type { Store } from '../sessions/record/store.ts'

export interface RetentionAges {
  /** How long the raw output of ended processes is kept; all of it is in the event log too. */
  readonly runMs: number
  /** How long settled questions and ended sessions with all their data are kept; undefined means for ever. */
  readonly keptMs: number | undefined
}

export interface RetentionDeps {
  readonly store: Store
  readonly home: string
  readonly supervisor: Pick<Supervisor, 'whileAsleep'>
}

const DAY_MS = 24 * 3_600_000

export function retentionAges(keepDays: number): RetentionAges {
  return { runMs: DAY_MS, keptMs: keepDays === 0 ? undefined : keepDays * DAY_MS }
}

/** Removes data older than its age limit. Live sessions, and those that wait for an answer, are never removed. */
export async function removeExpired(
  cleaned: RetentionDeps,
  { runMs, keptMs }: RetentionAges,
  now = Date.now(),
): Promise<void> {
  if (keptMs !== undefined) {
    await cleaned.store.approvals.removeSettledBefore(now - keptMs)
    await cleaned.store.grants.removeEndedBefore(now - keptMs)
    await removeSessions(cleaned, now - keptMs)
    await cleaned.store.costs.removeBefore(now - keptMs)
    await cleaned.store.shrink()
  }
  await removeRunFolders(cleaned, now - runMs)
}

/** Removes sessions that ended before `cutoff`. Their conversations belong to the CLI and stay there. */
async function removeSessions({ store, supervisor }: RetentionDeps, cutoff: number): Promise<void> {
  const filter = { status: ENDED, limit: PAGE_SIZE }
  for (let before: SessionFilter['before'] = { updatedAt: cutoff, id: '' }; before;) {
    const page = await store.sessions.list({ ...filter, before })
    for (const { id } of page)
      await supervisor.whileAsleep(id, async () => {
        if (await isRemovable(store, id, cutoff)) await removeSession(store, id, { by: 'keep_days' })
      })
    before = page.at(-1)
  }
}

/** Checked again while nothing can wake the session. A session with children is kept as long as they are. */
async function isRemovable(store: Store, id: SessionKey, cutoff: number): Promise<boolean> {
  const session = await store.sessions.get(id)
  if (!session || session.updatedAt >= cutoff || !ENDED.includes(session.status)) return false
  const runs = await store.runs.ofSession(id)
  if (runs.some(({ endedAt }) => endedAt === undefined)) return false
  if ((await store.approvals.pending([id])).length > 0) return false
  return (await store.sessions.list({ parentId: id, limit: 1 })).length === 0
}

/** A folder without a known run is new or foreign: its age decides. */
async function removeRunFolders({ store, home }: RetentionDeps, cutoff: number): Promise<void> {
  const runs = join(home, 'runs')
  for (const id of await readdir(runs).catch(() => [])) {
    const run = await store.runs.get(id)
    const endedAt = run ? run.endedAt : (await stat(join(runs, id)).catch(() => undefined))?.mtimeMs
    if (endedAt !== undefined && endedAt < cutoff) await rm(join(runs, id), { recursive: true, force: true })
  }
}

const ENDED: readonly SessionStatus[] = ['done', 'failed', 'interrupted']
const PAGE_SIZE = 100
