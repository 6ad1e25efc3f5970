import type { ApprovalKey, SessionKey } from '../../base/ids.ts'

interface HeldQuestion {
  readonly id: ApprovalKey
  /** How long it waits once it is shown; 0 is for ever. */
  readonly limitMs: number
}

interface Held {
  /** The question that stands for them. */
  standing: ApprovalKey | undefined
  /** In the order of asking. */
  readonly questions: Map<ApprovalKey, HeldQuestion>
}

/**
 * The questions of each session that are held back from a person. The time limit of each begins when it is shown: a person cannot
 * answer what is not shown. Until then the question that stands for them has a limit, so that silence is still a no.
 */
export class HeldLimits {
  readonly #sessions = new Map<SessionKey, Held>()
  /** Those whose held questions a person wants to see, one after the other. */
  readonly #showing = new Set<SessionKey>()

  hold(sessionId: SessionKey, question: HeldQuestion): void {
    this.#of(sessionId).questions.set(question.id, question)
  }

  stand(sessionId: SessionKey, id: ApprovalKey): void {
    this.#of(sessionId).standing = id
  }

  show(sessionId: SessionKey, isShowing: boolean): void {
    if (isShowing) this.#showing.add(sessionId)
    else this.#showing.delete(sessionId)
  }

  /** It is settled. */
  remove(id: ApprovalKey): void {
    for (const [sessionId, held] of this.#sessions) {
      held.questions.delete(id)
      if (held.standing === id) held.standing = undefined
      if (held.questions.size === 0 && held.standing === undefined) this.#sessions.delete(sessionId)
    }
  }

  standingIn(sessionId: SessionKey): ApprovalKey | undefined {
    return this.#sessions.get(sessionId)?.standing
  }

  /** The one that a person is shown now. */
  shownIn(sessionId: SessionKey): HeldQuestion | undefined {
    if (!this.#showing.has(sessionId)) return undefined
    return this.#sessions.get(sessionId)?.questions.values().next().value
  }

  /** Those that end when the question that stands for them has waited too long. */
  limitedIn(sessionId: SessionKey): ApprovalKey[] {
    const questions = this.#sessions.get(sessionId)?.questions.values() ?? []
    return [...questions].filter(({ limitMs }) => limitMs > 0).map(({ id }) => id)
  }

  #of(sessionId: SessionKey): Held {
    const found = this.#sessions.get(sessionId) ?? { standing: undefined, questions: new Map() }
    this.#sessions.set(sessionId, found)
    return found
  }
}
