import { optionsNeedingBypass } from '../../callers/bypass-options.ts'
import { type Caller, maySee, mayAccess, type SessionAccess, type Verb } from '../../callers/access-rules.ts'
import { mayBypass } from '../../callers/scopes.ts'
import { AppError } from '../../base/errors.ts'
import { isUuid, type SessionId, type SessionKey } from '../../base/ids.ts'
import { ancestorIdsOf } from '../../sessions/record/ancestor-ids.ts'
import type { Session } from '../../sessions/record/session.ts'
import type { Store } from '../../sessions/record/store.ts'
import { requireModeWithin } from './narrow-options.ts'

/** How deep children may start children. */
export const MAX_DEPTH = 3

/** The session, if the caller may do this to it. It is `not_found` for callers who may not read it, else `forbidden`. */
export async function requireSession(
  store: Store,
  caller: Caller,
  verb: Verb,
  idOrName: SessionKey,
): Promise<Session> {
  const session =
    (await sessionByIdOrName(store, idOrName)) ?? (await sessionByPrefix(store, caller, idOrName))
  const touched = session && (await accessOf(store, session))
  if (!session || !touched || !maySee(caller, touched))
    throw new AppError(
      'not_found',
      `There is no session ${idOrName}; list the sessions to see which there are.`,
    )
  if (!mayAccess(caller, verb, touched))
    throw new AppError(
      'forbidden',
      `${caller.name} may not ${verb} session ${session.id}; only its owner and the sessions above it may.`,
    )
  return session
}

/** A name that looks like an id is not looked up: early versions allowed such names. */
async function sessionByIdOrName({ sessions }: Store, idOrName: SessionKey): Promise<Session | undefined> {
  return (await sessions.get(idOrName)) ?? (isUuid(idOrName) ? undefined : sessions.byName(idOrName))
}

/** The only session that the caller may see and whose id begins so. */
async function sessionByPrefix(store: Store, caller: Caller, text: string): Promise<Session | undefined> {
  if (!ID_PREFIX.test(text)) return undefined
  const visible: Session[] = []
  for (const session of await store.sessions.byIdPrefix(text, MAX_SAME_PREFIX))
    if (maySee(caller, await accessOf(store, session))) visible.push(session)
  if (visible.length <= 1) return visible[0]
  const labels = visible.map(({ id, name }) => name ?? id)
  throw new AppError(
    'invalid_input',
    `${visible.length} sessions begin with ${text}; use more of the id, or a name: ${labels.join(', ')}.`,
  )
}

/** Fewer characters are too easily mistyped. */
const ID_PREFIX = /^[0-9a-f]{4}[0-9a-f-]{0,31}$/
const MAX_SAME_PREFIX = 20

export async function accessOf(
  store: Store,
  { id, owner, parentId, terminal }: Session,
): Promise<SessionAccess> {
  return { id, owner, ancestors: await ancestorIds(store, parentId), ...(terminal ? { terminal } : {}) }
}

/** The existing sessions above, nearest first. */
export async function ancestorSessions(store: Store, parentId: SessionId | undefined): Promise<Session[]> {
  const all = await Promise.all((await ancestorIds(store, parentId)).map((id) => store.sessions.get(id)))
  return all.filter((session) => session !== undefined)
}

/** The ids of the sessions above, nearest first. */
export async function ancestorIds(store: Store, parentId: SessionId | undefined): Promise<string[]> {
  return ancestorIdsOf(store.sessions, parentId)
}

export function requireNoBypass(caller: Caller, options: Parameters<typeof optionsNeedingBypass>[0]): void {
  const reasons = optionsNeedingBypass(options)
  if (reasons.length === 0 || mayBypass(caller)) return
  throw new AppError(
    'forbidden',
    `${reasons.join(' and ')} would run things without a question, and ${caller.name} may not do that; leave it out${WAY_TO_BYPASS[caller.kind]}.`,
  )
}

const WAY_TO_BYPASS: Record<Caller['kind'], string> = {
  operator: ', or have the person who set up this client start it as plexus mcp --allow-bypass',
  client:
    ', or have the person who set up this client give it the scope bypass in config.json and start it as plexus mcp --allow-bypass',
  device: ', or start it at the machine of the hub',
  session: '',
}

/** A session may not set a mode below it that allows more unasked than its own mode. */
export async function requireMode(store: Store, caller: Caller, mode: string): Promise<void> {
  requireNoBypass(caller, { permissionMode: mode })
  if (caller.kind === 'session') requireModeWithin(await callingSession(store, caller), mode)
}

/** The session that a calling child is. */
export async function callingSession(store: Store, { name }: Caller): Promise<Session> {
  const parent = await store.sessions.get(name)
  if (parent) return parent
  throw new AppError('forbidden', 'The session of this token no longer exists.')
}
