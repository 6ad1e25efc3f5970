import { rm } from 'node:fs/promises'
import { revokeSessionToken } from '../callers/session-token.ts'
import type { Store } from './record/store.ts'

/** Removes everything of a session that has no process: its rows, its token and the files of its runs. */
export async function removeSession(store: Store, sessionId: string): Promise<void> {
  const runs = await store.runs.ofSession(sessionId)
  await revokeSessionToken(store.callers, sessionId)
  await store.sessions.remove(sessionId)
  for (const { folder } of runs) await rm(folder, { recursive: true, force: true })
}
