import type { SessionId } from '../../base/ids.ts'
import type { SessionStore } from './session-store.ts'

/** A session above may be gone; its id is still known. */
export interface Ancestor {
  readonly id: SessionId
  readonly name: string | undefined
  readonly gone: boolean
}

/** The sessions above, the nearest first. A session stays below the one that started it. */
export async function ancestorsOf(
  sessions: Pick<SessionStore, 'get'>,
  parentId: SessionId | undefined,
): Promise<Ancestor[]> {
  const found: Ancestor[] = []
  for (let id = parentId; id !== undefined && found.every((above) => above.id !== id);) {
    const parent = await sessions.get(id)
    found.push({ id, name: parent?.name, gone: parent === undefined })
    id = parent?.parentId
  }
  return found
}

export async function ancestorIdsOf(
  sessions: Pick<SessionStore, 'get'>,
  parentId: SessionId | undefined,
): Promise<SessionId[]> {
  return (await ancestorsOf(sessions, parentId)).map(({ id }) => id)
}
