import { recordedSession } from '../audit/recorded-session.ts'
import { sessionEntry } from '../audit/session-entries.ts'
import { AppError } from '../base/errors.ts'
import type { CallerId, SessionId, SessionKey } from '../base/ids.ts'
import { forkOf, forkPoint, hasOnlyCliTurns, requireConversation } from './fork-source.ts'
import type { HubEnvironment } from './launch/hub-environment.ts'
import { type NewSession, newSession } from './new-session.ts'
import { ancestorIdsOf } from './record/ancestor-ids.ts'
import type { Origin, Session } from './record/session.ts'
import type { Store } from './record/store.ts'
import type { WriterDeps } from './writing/session-writer.ts'

interface CreationDeps extends Pick<WriterDeps, 'now' | 'onCreated'> {
  readonly store: Store
  readonly environment: HubEnvironment
}

/** A session that continues a conversation. */
type Continuing = Omit<NewSession, 'id' | 'origin' | 'headNode'>

/** Creates sessions that have no prompt yet: they are stored, and not in memory. */
export class SessionCreation {
  readonly #deps: CreationDeps

  constructor(deps: CreationDeps) {
    this.#deps = deps
  }

  async create(input: NewSession): Promise<Session> {
    const session = newSession(input, this.#deps.environment, this.#deps.now())
    const { createdAt: at, parentId: parent } = session
    const ancestors = await ancestorIdsOf(this.#deps.store.sessions, parent)
    const started = sessionEntry('session-started', recordedSession({ session, ancestors }), { at, parent })
    await this.#deps.store.sessions.create(session, started)
    this.#deps.onCreated?.(session)
    return session
  }

  /** A session for a conversation that the CLI already has, also an interactive one; it gets the same id. */
  async resume(cliSessionId: SessionId, how: Continuing): Promise<Session> {
    const known = await this.#deps.store.sessions.get(cliSessionId)
    if (known) return known
    await requireConversation(this.#deps.environment, cliSessionId)
    return this.create({ ...how, id: cliSessionId, origin: { kind: 'resume' } })
  }

  /** A new session that continues from a node of this session, by default its head. The original is not changed. */
  async fork(
    sessionId: SessionKey,
    { nodeId, name, owner }: { nodeId?: string | undefined; name?: string | undefined; owner: CallerId },
  ): Promise<Session> {
    const source = await requireStored(this.#deps.store.sessions, sessionId)
    const how = forkOf(source, { name, owner })
    if (nodeId === undefined && hasOnlyCliTurns(source))
      return this.forkConversation(source.cliSessionId, how)
    const node = await forkPoint(this.#deps.store.nodes, source, nodeId)
    const origin: Origin = { kind: 'fork', from: node.cliSessionId, at: node.assistantUuid }
    return this.create({ ...how, origin, headNode: node.id })
  }

  /** A session that continues from the end of a conversation of the CLI, which may be open: the CLI copies it. */
  async forkConversation(cliSessionId: string, how: Continuing): Promise<Session> {
    await requireConversation(this.#deps.environment, cliSessionId)
    return this.create({ ...how, origin: { kind: 'fork', from: cliSessionId } })
  }
}

export async function requireStored(sessions: Store['sessions'], sessionId: SessionKey): Promise<Session> {
  const session = await sessions.get(sessionId)
  if (session) return session
  throw new AppError(
    'not_found',
    `There is no session ${sessionId}; list the sessions to see which there are.`,
  )
}
