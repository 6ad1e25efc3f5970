import { rm } from 'node:fs/promises'
import type { RecordedCaller } from '../audit/recorded-caller.ts'
import { recordedSession } from '../audit/recorded-session.ts'
import { sessionEntry } from '../audit/session-entries.ts'
import type { SessionKey } from '../base/ids.ts'
import { revokeSessionToken } from '../callers/session-token.ts'
import { ancestorIdsOf } from './record/ancestor-ids.ts'
import type { Store } from './record/store.ts'

/** The caller that removes a session, or the setting that does. */
export interface Remover {
  readonly by: string
  readonly caller?: RecordedCaller | undefined
}

/** Removes everything of a session that has no process: its rows, its token and the files of its runs. The record keeps its rows. */
export async function removeSession(store: Store, sessionId: SessionKey, remover: Remover): Promise<void> {
  const runs = await store.runs.ofSession(sessionId)
  const session = await store.sessions.get(sessionId)
  const { state } = session?.checkpoint ?? {}
  const entry =
    session &&
    sessionEntry(
      'session-removed',
      recordedSession({ session, state, ancestors: await ancestorIdsOf(store.sessions, session.parentId) }),
      {
        at: Date.now(),
        parent: session.parentId,
        ...remover,
      },
    )
  await revokeSessionToken(store.callers, sessionId)
  await store.sessions.remove(sessionId, entry)
  for (const { folder } of runs) await rm(folder, { recursive: true, force: true })
}
