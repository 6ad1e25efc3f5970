import type { SessionKey } from '../../base/ids.ts'
import type { Approval } from '../../approvals/approval.ts'
import type { Caller } from '../../callers/access-rules.ts'
import type { Session } from '../../sessions/record/session.ts'
import type { Store } from '../../sessions/record/store.ts'
import { ancestorSessions } from './session-access.ts'
import { turnEndId } from './parent-notice.ts'
import { answererIdOf, OWNER, responsibleFor } from './responsible-session.ts'

interface SessionWithAncestors {
  readonly session: Session
  readonly ancestors: readonly Session[]
}

/** Finds the responsible answerer of questions, by the current state. Each session and its ancestors are read once. */
export class ResponsibleLookup {
  readonly #store: Store
  readonly #withAncestors = new Map<string, Promise<SessionWithAncestors | undefined>>()

  constructor(store: Store) {
    this.#store = store
  }

  /** The questions that the caller itself is responsible for. */
  async questionsOf(caller: Caller, questions: readonly Approval[]): Promise<Approval[]> {
    const callerId = answererIdOf(caller)
    const answerers = await Promise.all(questions.map((asked) => this.#answererOf(asked)))
    return questions.filter((_, index) => answerers[index] === callerId)
  }

  /** The questions that have not passed a session upwards: it is responsible for them, or a session below it is. */
  async notAbove({ name }: Caller, questions: readonly Approval[]): Promise<Approval[]> {
    const answerers = await Promise.all(questions.map((asked) => this.#answererOf(asked)))
    const loaded = await Promise.all(questions.map(({ sessionId }) => this.#load(sessionId)))
    return questions.filter((_, index) => {
      const ancestorIds: string[] = (loaded[index]?.ancestors ?? []).map(({ id }) => id)
      const position = ancestorIds.indexOf(answerers[index] ?? '')
      return position !== -1 && position <= ancestorIds.indexOf(name)
    })
  }

  /** The sessions whose end the caller is responsible for. */
  async sessionsOf(caller: Caller, sessions: readonly Session[]): Promise<Session[]> {
    const callerId = answererIdOf(caller)
    const loaded = await Promise.all(sessions.map(({ id }) => this.#load(id)))
    return sessions.filter((session, index) => {
      const wakesFor = session.config.wakeParent ? turnEndId(session) : undefined
      return responsibleFor(loaded[index]?.ancestors ?? [], { wakesFor }) === callerId
    })
  }

  /** The questions of sessions below one of these sessions. */
  async below(sessionIds: readonly SessionKey[], questions: readonly Approval[]): Promise<Approval[]> {
    const loaded = await Promise.all(questions.map(({ sessionId }) => this.#load(sessionId)))
    return questions.filter((_, index) => loaded[index]?.ancestors.some(({ id }) => sessionIds.includes(id)))
  }

  async #answererOf({ id, sessionId, escalations, kind }: Approval): Promise<string | undefined> {
    const found = await this.#load(sessionId)
    if (!found) return undefined
    // Sessions spend from the budgets of their tree: none of them answers about one.
    if (kind === 'budget') return OWNER
    const { answerers, config } = found.session
    const wakesFor = config.wakeParent ? id : undefined
    return responsibleFor(found.ancestors, { personOnly: answerers === 'person', escalations, wakesFor })
  }

  #load(sessionId: SessionKey): Promise<SessionWithAncestors | undefined> {
    const known = this.#withAncestors.get(sessionId) ?? this.#read(sessionId)
    this.#withAncestors.set(sessionId, known)
    return known
  }

  async #read(sessionId: SessionKey): Promise<SessionWithAncestors | undefined> {
    const session = await this.#store.sessions.get(sessionId)
    return session && { session, ancestors: await ancestorSessions(this.#store, session.parentId) }
  }
}
