import { setTimeout } from 'node:timers/promises'
import { AT_WORK } from '../sessions/record/at-work.ts'
import type { Store } from '../sessions/record/store.ts'

export interface Activity {
  /** The number of sessions in a turn or waiting for an answer. */
  readonly sessions: () => Promise<number>
  readonly connections: () => Promise<number>
}

/** Those that a hub must be there for. A terminal needs it only for its questions. */
export async function busySessions({
  sessions,
  approvals,
}: Pick<Store, 'sessions' | 'approvals'>): Promise<number> {
  const { running, waiting } = await sessions.countByStatus()
  if (running + waiting === 0) return 0
  const busy = await sessions.list({ status: AT_WORK, limit: running + waiting })
  const asking = new Set((await approvals.pendingIds()).map(({ sessionId }) => String(sessionId)))
  return busy.filter(({ id, outside }) => !outside?.found || asking.has(id)).length
}

/** Resolves once there was no connection and no busy session for this long; without a limit, never. */
export async function whenIdle(
  seconds: number | undefined,
  { sessions, connections }: Activity,
): Promise<'idle'> {
  if (seconds === undefined) return new Promise(() => {})
  for (let since = performance.now(); ;) {
    await setTimeout(Math.min(CHECK_MS, (seconds * 1_000) / 2), undefined, { ref: false })
    const busy = (await sessions()) > 0 || (await connections()) > 0
    if (busy) since = performance.now()
    else if (performance.now() - since >= seconds * 1_000) return 'idle'
  }
}

const CHECK_MS = 5_000
