import { type Caller, mayCreate } from '../callers/access-rules.ts'
import { mayReadTranscripts } from '../callers/scopes.ts'
import { StartOptions } from '../child/launch/start-options.ts'
import { AppError } from '../base/errors.ts'
import { isUuid, type SessionKey } from '../base/ids.ts'
import { definedFields } from '../base/defined-fields.ts'
import { budgetOf } from '../budgets/budget.ts'
import type { Session } from '../sessions/record/session.ts'
import { requireNoBypass, requireSession } from './access/session-access.ts'
import { requireReserve } from './budgets/require-budget.ts'
import { freeName } from './sessions/rename-session.ts'
import type { CallContext } from './engine.ts'
import type { EngineParts } from './local-engine.ts'

export interface Fork {
  readonly sessionId: SessionKey
  /** The last node by default. */
  readonly nodeId?: string | undefined
  /** The name of the new session. */
  readonly name?: string | undefined
}

/** Forks a session, or a conversation that only the CLI has. Either may be open in another process. */
export async function forkSession(
  parts: EngineParts,
  { caller }: CallContext,
  input: Fork,
): Promise<Session> {
  const { sessionId, nodeId, name } = input
  if (isUuid(sessionId) && !(await parts.store.sessions.get(sessionId)))
    return forkConversation(parts, caller, input)
  const session = await requireSession(parts.store, caller, 'fork', sessionId)
  const { id, config, owner, parentId } = session
  requireNoBypass(caller, config)
  // A fork below a session is one more start there, and reserves what its original may spend.
  const parent = parentId === undefined ? undefined : await parts.store.sessions.get(parentId)
  if (parent) await requireReserve(parts.store, parent, budgetOf(session), parts.budgets)
  await freeName(parts, caller, name)
  return parts.supervisor.creation.fork(id, {
    nodeId,
    name,
    owner: caller.kind === 'session' ? owner : caller.id,
  })
}

/** The fork is a new session of the caller, in the folder of the conversation. */
async function forkConversation(
  {
    store,
    supervisor,
    transcripts,
    permissionTimeoutMs = PERMISSION_TIMEOUT_MS,
    carrier = 'control',
  }: EngineParts,
  caller: Caller,
  { sessionId, nodeId, name }: Fork,
): Promise<Session> {
  const found = mayCreate(caller) ? await transcripts?.find(sessionId) : undefined
  if (!found)
    throw new AppError(
      'not_found',
      `There is no session ${sessionId}; list the sessions to see which there are.`,
    )
  requireTranscripts(caller, 'fork')
  if (nodeId !== undefined)
    throw new AppError(
      'invalid_input',
      'nodeId does not apply to a conversation that is not a session yet; leave it out.',
    )
  await freeName({ store, supervisor }, caller, name)
  const { workingDirectory } = found
  return supervisor.creation.forkConversation(sessionId, {
    options: StartOptions.parse({ workingDirectory, carrier, ...definedFields({ name }) }),
    owner: caller.id,
    timeoutMs: caller.person ? 0 : permissionTimeoutMs,
  })
}

export function requireTranscripts(caller: Caller, verb: 'resume' | 'fork'): void {
  if (mayReadTranscripts(caller)) return
  throw new AppError(
    'forbidden',
    `${caller.name} may not ${verb} conversations that were started outside Plexus; that needs the scope transcripts.`,
  )
}

/** The default timeout of questions in a session that a model starts. */
export const PERMISSION_TIMEOUT_MS = 300_000
