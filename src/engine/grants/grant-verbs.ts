import { type Grant, keeperOf } from '../../approvals/grants/grant.ts'
import { AppError } from '../../base/errors.ts'
import type { GrantKey, SessionKey } from '../../base/ids.ts'
import {
  type Caller,
  mayAccess,
  mayAnswerTerminals,
  mayEndWideGrants,
  seesAll,
} from '../../callers/access-rules.ts'
import type { Store } from '../../sessions/record/store.ts'
import type { Supervisor } from '../../sessions/supervisor.ts'
import { accessOf, requireSession } from '../access/session-access.ts'
import { endedInSession, grantsInSession } from './grants-in-session.ts'
import { type GrantView, grantView } from './grant-view.ts'
import { grantNamed } from './named-grant.ts'

type GrantsRead = 'current' | 'ended'

/** Of so many that ended last. */
const MAX_ENDED = 1_000

interface Parts {
  readonly store: Store
  readonly supervisor: Pick<Supervisor, 'grants'>
}

export interface ListGrants {
  readonly sessionId?: SessionKey | undefined
  /** After those that hold, also those that have ended, the latest first, as long as they are kept. */
  readonly ended?: true | undefined
}

/** The grants that hold in a session; without one, all of the home folder. */
export async function listGrants(
  { store, supervisor }: Parts,
  caller: Caller,
  { sessionId, ended }: ListGrants,
): Promise<GrantView[]> {
  // What is over by now is noted, so that each has the time of its end.
  if (ended) await supervisor.grants.sweep()
  const read = async (grants: GrantsRead) =>
    sessionId === undefined ? allGrants(store, caller, grants) : inSession(store, caller, sessionId, grants)
  const found = await read('current')
  const over = await Promise.all(found.map((grant) => supervisor.grants.isOver(grant)))
  const gone = ended ? await read('ended') : []
  // Other callers may not know the sessions that a wide grant is about.
  const named = seesAll(caller) ? store : undefined
  const listed = [...found.filter((_, index) => !over[index]), ...gone]
  return Promise.all(listed.map((grant) => grantView(grant, named)))
}

/** Ends a grant, and returns those that are left of the session, or of the home folder. */
export async function revokeGrant(
  parts: Parts,
  caller: Caller,
  { sessionId, grantId }: { sessionId?: SessionKey | undefined; grantId: GrantKey },
): Promise<GrantView[]> {
  const { store, supervisor } = parts
  if (sessionId !== undefined) await requireSession(store, caller, 'answer', sessionId)
  const grant =
    (await store.grants.get(grantId)) ?? (await listedGrant(store, caller, { sessionId, grantId }))
  const known = grant && !grant.ended && (await mayKnow(store, caller, grant, sessionId))
  if (!known)
    throw new AppError(
      'not_found',
      `There is no grant ${grantId} ${sessionId === undefined ? 'that you may end' : 'in this session'}; list its grants to see which there are.`,
    )
  await requireRight(store, caller, grant)
  await supervisor.grants.revoke(grant, caller.name)
  return sessionId === undefined && !seesAll(caller) ? [] : listGrants(parts, caller, { sessionId })
}

/** Only among those that the caller may list. */
async function listedGrant(
  store: Store,
  caller: Caller,
  { sessionId, grantId }: { sessionId?: SessionKey | undefined; grantId: GrantKey },
): Promise<Grant | undefined> {
  if (sessionId !== undefined)
    return grantNamed(store, await inSession(store, caller, sessionId, 'current'), grantId)
  return seesAll(caller) ? grantNamed(store, await store.grants.current(), grantId) : undefined
}

async function allGrants(store: Store, caller: Caller, grants: GrantsRead): Promise<Grant[]> {
  if (seesAll(caller)) return grants === 'ended' ? store.grants.ended(MAX_ENDED) : store.grants.current()
  throw new AppError(
    'forbidden',
    'Name a session: only an operator or a device sees what is remembered in all.',
  )
}

/** What was remembered elsewhere for a folder or for all is shown only to callers who see those sessions too. */
async function inSession(
  store: Store,
  caller: Caller,
  sessionId: SessionKey,
  grants: GrantsRead = 'current',
): Promise<Grant[]> {
  const session = await requireSession(store, caller, 'read', sessionId)
  if (session.terminal && !mayAnswerTerminals(caller)) return []
  const found = await (grants === 'ended'
    ? endedInSession(store, session, MAX_ENDED)
    : grantsInSession(store, session))
  return seesAll(caller) ? found : found.filter(({ scope }) => scope !== 'folder' && scope !== 'always')
}

async function mayKnow(
  store: Store,
  caller: Caller,
  grant: Grant,
  sessionId: SessionKey | undefined,
): Promise<boolean> {
  if (sessionId !== undefined)
    return (await inSession(store, caller, sessionId)).some(({ id }) => id === grant.id)
  if (seesAll(caller)) return true
  const session = await store.sessions.get(keeperOf(grant) ?? '')
  return session !== undefined && mayAccess(caller, 'answer', await accessOf(store, session))
}

/** A wide grant may serve sessions of others, so not every caller who answers for one session may end it. */
async function requireRight(store: Store, caller: Caller, grant: Grant): Promise<void> {
  const keeper = keeperOf(grant)
  const session = keeper === undefined ? undefined : await store.sessions.get(keeper)
  const may = session ? mayAccess(caller, 'answer', await accessOf(store, session)) : mayEndWideGrants(caller)
  if (!may)
    throw new AppError(
      'forbidden',
      'This holds for more sessions than yours, so only a caller who may answer for all of them ends it.',
    )
}
