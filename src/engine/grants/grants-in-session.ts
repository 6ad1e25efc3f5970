import { type Grant, isWide, keeperOf } from '../../approvals/grants/grant.ts'
import type { Session } from '../../sessions/record/session.ts'
import type { Store } from '../../sessions/record/store.ts'
import { isWithin } from '../../shell/path-bounds.ts'
import { ancestorIds } from '../access/session-access.ts'

/** The grants that can hold in a session: its own, those of its tree, of its folder, and of the whole home folder. */
export async function grantsInSession(store: Store, session: Session): Promise<Grant[]> {
  const own = await store.grants.ofSession(session.id)
  const wide = await store.grants.wide()
  if (wide.length === 0) return own
  return [...own, ...(await reaching(store, session, wide))]
}

/** Those that held in it, of so many that ended last. */
export async function endedInSession(store: Store, session: Session, limit: number): Promise<Grant[]> {
  const ended = await store.grants.ended(limit)
  return reaching(
    store,
    session,
    ended.filter((grant) => isWide(grant) || grant.sessionId === session.id),
  )
}

async function reaching(store: Store, session: Session, grants: readonly Grant[]): Promise<Grant[]> {
  const tree: readonly string[] = [session.id, ...(await ancestorIds(store, session.parentId))]
  return grants.filter((grant) => reaches(grant, tree, session.workingDirectory))
}

function reaches(grant: Grant, tree: readonly string[], workingDirectory: string): boolean {
  switch (grant.scope) {
    case 'tree':
      return tree.includes(keeperOf(grant) ?? '')
    case 'folder':
      return grant.rules.every(({ folder }) => folder !== undefined && isWithin(workingDirectory, folder))
    default:
      return true
  }
}
