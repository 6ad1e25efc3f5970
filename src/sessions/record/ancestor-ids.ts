import type { SessionId } from '../../base/ids.ts'
import type { SessionStore } from './session-store.ts'

/** The ids of the sessions above, the nearest first. A session above may be gone; its id is still known. */
export async function ancestorIdsOf(
  sessions: Pick<SessionStore, 'get'>,
  parentId: SessionId | undefined,
): Promise<SessionId[]> {
  const found: SessionId[] = []
  for (let id = parentId; id !== undefined && !found.includes(id);) {
    found.push(id)
    id = (await sessions.get(id))?.parentId
  }
  return found
}
