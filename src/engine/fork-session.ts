import { type Caller, mayCreate } from '../callers/access-rules.ts'
import { StartOptions } from '../child/launch/start-options.ts'
import { AppError } from '../base/errors.ts'
import { isUuid } from '../base/ids.ts'
import { definedFields } from '../base/defined-fields.ts'
import type { Session } from '../sessions/record/session.ts'
import { requireNoBypass, sessionFor } from './access/session-access.ts'
import type { Fork, CallContext } from './engine.ts'
import type { EngineParts } from './local-engine.ts'

/** Of a session, or of a conversation that only the CLI has; either may be open somewhere else. */
export async function forkFor(parts: EngineParts, { caller }: CallContext, input: Fork): Promise<Session> {
  const { sessionId, nodeId, name } = input
  if (isUuid(sessionId) && !(await parts.store.sessions.get(sessionId)))
    return forkConversation(parts, caller, input)
  const { id, config, owner } = await sessionFor(parts.store, caller, 'fork', sessionId)
  requireNoBypass(caller, config)
  return parts.supervisor.fork(id, { nodeId, name, owner: caller.kind === 'session' ? owner : caller.id })
}

/** As a new session of who asks, in the folder that the conversation was in. */
async function forkConversation(
  { supervisor, transcripts, permissionTimeoutMs = PERMISSION_TIMEOUT_MS, carrier = 'control' }: EngineParts,
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
    throw new AppError('invalid_input', 'This conversation has no nodes here; leave out nodeId.')
  const { workingDirectory } = found
  return supervisor.forkConversation(sessionId, {
    options: StartOptions.parse({ workingDirectory, carrier, ...definedFields({ name }) }),
    owner: caller.id,
    timeoutMs: caller.person ? 0 : permissionTimeoutMs,
  })
}

export function requireTranscripts(caller: Caller, verb: 'resume' | 'fork'): void {
  if (caller.kind === 'operator' || caller.scopes.includes('transcripts')) return
  throw new AppError(
    'forbidden',
    `${caller.name} may not ${verb} conversations of others (scope transcripts).`,
  )
}

/** How long a question waits in a session that a model starts, unless it or the hub says so. */
export const PERMISSION_TIMEOUT_MS = 300_000
