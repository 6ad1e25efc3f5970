import { mayCreate } from '../callers/access-rules.ts'
import { requireFullPath } from '../child/launch/working-directory.ts'
import type { Ask } from '../base/ask-setting.ts'
import { AppError } from '../base/errors.ts'
import type { SessionId } from '../base/ids.ts'
import type { StartOptions } from '../child/launch/start-options.ts'
import type { Content } from '../sessions/launch/prompt-kinds.ts'
import type { Session } from '../sessions/record/session.ts'
import {
  ancestorIds,
  MAX_DEPTH,
  callingSession,
  requireNoBypass,
  requireSession,
} from './access/session-access.ts'
import { requireAskable } from './access/ask-target.ts'
import { requireReserve } from './budgets/require-budget.ts'
import { budgetOf } from '../budgets/budget.ts'
import { narrowToParent } from './access/narrow-options.ts'
import { PERMISSION_TIMEOUT_MS, requireTranscripts } from './fork-session.ts'
import type { CallContext } from './engine.ts'
import type { EngineParts } from './local-engine.ts'
import { freeName } from './sessions/rename-session.ts'
import { requireNoUrls } from './prompt-or-command.ts'

export interface CreateSession {
  readonly options: StartOptions
  /** How long a question waits before it is denied; 0 means no limit. */
  readonly timeoutMs?: number | undefined
  readonly answerers?: 'anyone' | 'person' | undefined
  /** Whom its questions are put to; if omitted, the connection decides. */
  readonly ask?: Ask | undefined
  /** The id of a conversation that the CLI already has. */
  readonly resume?: SessionId | undefined
  /** The first prompt: saves a second call. */
  readonly content?: Content | undefined
}

/** A new session, or one for a conversation that the CLI has; with a first prompt if one is given. */
export async function createSession(
  { store, supervisor, transcripts, ...parts }: EngineParts,
  { caller }: CallContext,
  input: CreateSession,
): Promise<Session> {
  const { permissionTimeoutMs = PERMISSION_TIMEOUT_MS, carrier = 'control' } = parts
  const timeoutMs = input.timeoutMs ?? (caller.person ? 0 : permissionTimeoutMs)
  if (!mayCreate(caller))
    throw new AppError('forbidden', 'A child session may not start sessions unless it was created as nested.')
  requireNoBypass(caller, input.options)
  requireNoUrls(caller, input.content)
  const parent = caller.kind === 'session' ? await callingSession(store, caller) : undefined
  const parentId = parent?.id
  if (input.options.wakeParent && !parent)
    throw new AppError(
      'invalid_input',
      'wakeParent is only for sessions that another session starts, and the caller is not a session; leave it out.',
      { data: { field: 'wakeParent' } },
    )
  if ((await ancestorIds(store, parentId)).length >= MAX_DEPTH)
    throw new AppError('forbidden', `Sessions may be nested ${MAX_DEPTH} deep, and this would be one more.`)
  const { options, answerers, ask, resume } = parent ? narrowToParent(parent, input) : input
  requireAskable({ answerers, ask })
  if (parent) await requireReserve(store, parent, budgetOf({ config: options }), parts.budgets)
  const spec = {
    options: { ...options, carrier: options.carrier ?? carrier },
    // The owner of the topmost session owns the whole tree, and answers when no session above is at work.
    owner: parent?.owner ?? caller.id,
    parentId,
    timeoutMs,
    answerers,
    ask,
  }
  const { content } = input
  await freeName({ store, supervisor }, caller, options.name)
  if (parts.needsFolder && resume === undefined) requireFullPath(options.workingDirectory)
  if (resume === undefined)
    return content === undefined ? supervisor.creation.create(spec) : supervisor.begin(spec, content)
  requireTranscripts(caller, 'resume')
  // By default a conversation is resumed in its own folder.
  const workingDirectory = options.workingDirectory ?? (await transcripts?.find(resume))?.workingDirectory
  if (parts.needsFolder) requireFullPath(workingDirectory)
  const session = (await store.sessions.get(resume))
    ? // The conversation is a session already: return that session, if the caller may prompt it.
      await requireSession(store, caller, 'say', resume)
    : await supervisor.creation.resume(resume, { ...spec, options: { ...spec.options, workingDirectory } })
  if (content === undefined) return session
  const live = await supervisor.wake(session.id)
  await live.say(content)
  return live.session
}
