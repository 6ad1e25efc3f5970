import type { PendingQuestion } from '../../engine/engine.ts'
import type { StoredEvent } from '../../events/event-log.ts'
import { answerLines, settledLine } from '../views/answer-lines.ts'
import { logLines } from '../views/log-lines.ts'
import { LogMemory } from '../views/log-memory.ts'
import { questionId } from '../views/question-views.ts'

/** What is printed for each event of a followed session, beside the cards of its questions. */
export class FollowedLog {
  readonly #homeFolder: string | undefined
  readonly #hidden: ReadonlySet<string> | undefined
  /** Questions that were on this screen, and whether they were answered here. */
  readonly #shown = new Map<string, { readonly question: PendingQuestion; readonly isOwn: boolean }>()
  readonly #memory = new LogMemory()

  /** Events of the hidden types are not printed. */
  constructor(homeFolder: string | undefined, hidden: ReadonlySet<string> | undefined) {
    this.#homeFolder = homeFolder
    this.#hidden = hidden
  }

  noteShown(question: PendingQuestion, isOwn: boolean): void {
    this.#shown.set(question.id, { question, isOwn })
  }

  linesOf(stored: StoredEvent, isPast: boolean): string[] {
    const { event, at } = stored
    if (this.#hidden?.has(event.type)) return []
    // The card and the footer say it better. The log of a terminal has no calls, so what it asked before is said here.
    const isOnlyTrace = event.type === 'approval.opened' && isPast && event.carrier === 'terminal'
    if (!isOnlyTrace && (event.type === 'approval.opened' || event.type === 'cost.reported')) {
      this.#memory.read(event)
      return []
    }
    const shown = event.type === 'approval.settled' ? this.#shown.get(event.approvalId) : undefined
    if (event.type !== 'approval.settled' || !shown) return logLines(stored, this.#homeFolder, this.#memory)
    const { question, isOwn } = shown
    return [
      settledLine(questionId(question), event, { at, isOwn, asked: question }),
      ...answerLines(question, event.decision).map((line) => `  ${line}`),
    ]
  }
}
