import type { PendingQuestion } from '../../engine/engine.ts'
import type { ClientHub } from '../command.ts'
import { questionId } from '../views/question-views.ts'
import { clockTime } from '../views/session-words.ts'

/** Answers that were given on a screen, until it is known that the child has them. */
export class Deliveries {
  readonly #hub: ClientHub
  readonly #open = new Map<string, PendingQuestion>()

  constructor(hub: ClientHub) {
    this.#hub = hub
  }

  add(question: PendingQuestion): void {
    this.#open.set(question.id, question)
  }

  /** Sentences on those that have arrived since. */
  async arrived(): Promise<string[]> {
    const { engine, context } = this.#hub
    const found = await Promise.all(
      [...this.#open.values()].map(async (question) => {
        // While the hub is away nothing is known; the next call asks again.
        const now = await engine.getApproval(context, { approvalId: question.id }).catch(() => undefined)
        if (!now || now.delivery === 'none' || !this.#open.delete(question.id)) return []
        return [`${questionId(question)}: delivered to the child at ${clockTime(Date.now())}`]
      }),
    )
    return found.flat()
  }
}
