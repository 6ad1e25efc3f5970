import type { Approval } from '../../approvals/approval.ts'
import type { Caller } from '../../callers/access-rules.ts'
import type { Session } from '../../sessions/record/session.ts'
import type { Store } from '../../sessions/record/store.ts'
import { sessionsAbove } from './session-access.ts'
import { endOf } from './parent-notice.ts'
import { placeOf, responsibleFor } from './responsible-session.ts'

interface SessionWithAncestors {
  readonly session: Session
  readonly above: readonly Session[]
}

/** Who is to answer what, as things stand now: each session with those above it is read once. */
export class ResponsibleLookup {
  readonly #store: Store
  readonly #lines = new Map<string, Promise<SessionWithAncestors | undefined>>()

  constructor(store: Store) {
    this.#store = store
  }

  /** Of these questions those that the caller itself is to answer, and nobody nearer. */
  async questionsOf(caller: Caller, questions: readonly Approval[]): Promise<Approval[]> {
    const place = placeOf(caller)
    const who = await Promise.all(questions.map((asked) => this.#answererOf(asked)))
    return questions.filter((_, at) => who[at] === place)
  }

  /** Of these questions those that have not gone above a session: they are its own to answer, or of one below it. */
  async notAbove({ name }: Caller, questions: readonly Approval[]): Promise<Approval[]> {
    const answerers = await Promise.all(questions.map((asked) => this.#answererOf(asked)))
    const lines = await Promise.all(questions.map(({ sessionId }) => this.#line(sessionId)))
    return questions.filter((_, at) => {
      const places = (lines[at]?.above ?? []).map(({ id }) => id)
      const answerer = places.indexOf(answerers[at] ?? '')
      return answerer !== -1 && answerer <= places.indexOf(name)
    })
  }

  /** Of these sessions those whose end concerns the caller, and nobody nearer. */
  async sessionsOf(caller: Caller, sessions: readonly Session[]): Promise<Session[]> {
    const place = placeOf(caller)
    const lines = await Promise.all(sessions.map(({ id }) => this.#line(id)))
    return sessions.filter((session, at) => {
      const wakesFor = session.config.wakeParent ? endOf(session) : undefined
      return responsibleFor(lines[at]?.above ?? [], { wakesFor }) === place
    })
  }

  /** Of these questions those that were asked below one of these sessions. */
  async below(sessionIds: readonly string[], questions: readonly Approval[]): Promise<Approval[]> {
    const lines = await Promise.all(questions.map(({ sessionId }) => this.#line(sessionId)))
    return questions.filter((_, at) => lines[at]?.above.some(({ id }) => sessionIds.includes(id)))
  }

  async #answererOf({ id, sessionId, escalations }: Approval): Promise<string | undefined> {
    const line = await this.#line(sessionId)
    if (!line) return undefined
    const { answerers, config } = line.session
    const wakesFor = config.wakeParent ? id : undefined
    return responsibleFor(line.above, { personOnly: answerers === 'person', escalations, wakesFor })
  }

  #line(sessionId: string): Promise<SessionWithAncestors | undefined> {
    const known = this.#lines.get(sessionId) ?? this.#read(sessionId)
    this.#lines.set(sessionId, known)
    return known
  }

  async #read(sessionId: string): Promise<SessionWithAncestors | undefined> {
    const session = await this.#store.sessions.get(sessionId)
    return session && { session, above: await sessionsAbove(this.#store, session.parentId) }
  }
}
