import type { SessionEvent } from '../events/session-event.ts'

type LogLine = (message: string, fields: Readonly<Record<string, unknown>>) => void

interface QuestionTime {
  readonly session: string
  readonly toolUseId: string | undefined
  readonly askedAt: number
  readonly answeredAt?: number | undefined
}

/** Logs how long each question waited for its answer, and the answer for its effect, to find what is slow. */
export class QuestionTimes {
  readonly #log: LogLine
  readonly #now: () => number
  readonly #open = new Map<string, QuestionTime>()

  constructor(log: LogLine, now: () => number = () => performance.now()) {
    this.#log = log
    this.#now = now
  }

  note(session: string, event: SessionEvent): void {
    switch (event.type) {
      case 'approval.opened':
        this.#open.set(event.approvalId, { session, toolUseId: event.toolUseId, askedAt: this.#now() })
        return
      case 'approval.settled':
        return this.#answered(event.approvalId, event.status)
      case 'tool.finished':
        for (const [approval, { toolUseId, answeredAt }] of this.#open)
          if (toolUseId === event.toolUseId && answeredAt !== undefined) this.#delivered(approval, answeredAt)
        return
      case 'run.ended':
        for (const [approval, times] of this.#open) if (times.session === session) this.#open.delete(approval)
        return
      default:
    }
  }

  #answered(approval: string, status: string): void {
    const times = this.#open.get(approval)
    if (!times) return
    const { session, askedAt } = times
    this.#log('A question was answered.', {
      approval,
      session,
      status,
      ms: Math.round(this.#now() - askedAt),
    })
    this.#open.set(approval, { ...times, answeredAt: this.#now() })
  }

  #delivered(approval: string, answeredAt: number): void {
    const { session } = this.#open.get(approval) ?? {}
    this.#open.delete(approval)
    const ms = Math.round(this.#now() - answeredAt)
    this.#log('The call of a question has come to its end.', { approval, session, ms })
  }
}
