import { bypassesOf } from '../../callers/bypass-options.ts'
import {
  type Caller,
  mayBypass,
  maySee,
  mayTouch,
  type SessionAccess,
  type Verb,
} from '../../callers/access-rules.ts'
import { AppError } from '../../base/errors.ts'
import { isUuid } from '../../base/ids.ts'
import type { Session } from '../../sessions/record/session.ts'
import type { Store } from '../../sessions/record/store.ts'
import { requireModeWithin } from './narrow-options.ts'

/** How deep children may start children. */
export const MAX_DEPTH = 3

/** A session for somebody who may do this to it; for others it does not exist, or the answer is no. */
export async function sessionFor(
  store: Store,
  caller: Caller,
  verb: Verb,
  idOrName: string,
): Promise<Session> {
  const session = await sessionCalled(store, idOrName)
  const touched = session && (await accessOf(store, session))
  if (!session || !touched || !maySee(caller, touched))
    throw new AppError(
      'not_found',
      `There is no session ${idOrName}; list the sessions to see which there are.`,
    )
  if (!mayTouch(caller, verb, touched))
    throw new AppError(
      'forbidden',
      `${caller.name} may not ${verb} session ${session.id}; whoever started it may.`,
    )
  return session
}

/** A session that an earlier version named like an id is found by its own id only. */
async function sessionCalled({ sessions }: Store, idOrName: string): Promise<Session | undefined> {
  return (await sessions.get(idOrName)) ?? (isUuid(idOrName) ? undefined : sessions.byName(idOrName))
}

export async function accessOf(store: Store, { id, owner, parentId }: Session): Promise<SessionAccess> {
  return { id, owner, ancestors: await ancestorsOf(store, parentId) }
}

/** The sessions above that are there, nearest first. */
export async function sessionsAbove(store: Store, parentId: string | undefined): Promise<Session[]> {
  const all = await Promise.all((await ancestorsOf(store, parentId)).map((id) => store.sessions.get(id)))
  return all.filter((session) => session !== undefined)
}

/** The ids of the sessions above, nearest first. */
export async function ancestorsOf(store: Store, parentId: string | undefined): Promise<string[]> {
  const above: string[] = []
  for (let id = parentId; id !== undefined && !above.includes(id);) {
    above.push(id)
    id = (await store.sessions.get(id))?.parentId
  }
  return above
}

export function requireNoBypass(caller: Caller, options: Parameters<typeof bypassesOf>[0]): void {
  const reasons = bypassesOf(options)
  if (reasons.length === 0 || mayBypass(caller)) return
  throw new AppError(
    'forbidden',
    `${reasons.join(' and ')} would run things that nobody is asked about, and ${caller.name} may not do that; leave it out${WAY_TO_BYPASS[caller.kind]}.`,
  )
}

const WAY_TO_BYPASS: Record<Caller['kind'], string> = {
  operator: ', or have the person who set up this client start it as plexus mcp --allow-bypass',
  client:
    ', or have the person who set up this client give it the scope bypass in config.json and start it as plexus mcp --allow-bypass',
  session: '',
}

/** A session gives no session below it a mode that lets more happen unasked than its own. */
export async function requireMode(store: Store, caller: Caller, mode: string): Promise<void> {
  requireNoBypass(caller, { permissionMode: mode })
  if (caller.kind === 'session') requireModeWithin(await parentOf(store, caller), mode)
}

/** The session that a child is, for what it starts and changes. */
export async function parentOf(store: Store, { name }: Caller): Promise<Session> {
  const parent = await store.sessions.get(name)
  if (parent) return parent
  throw new AppError('forbidden', 'The session that this token belongs to is not there any more.')
}
