import type { SessionEvent } from '../events/session-event.ts'

type LogLine = (message: string, fields: Readonly<Record<string, unknown>>) => void

interface QuestionTime {
  readonly session: string
  readonly toolUseId: string | undefined
  readonly asked: number
  readonly answered?: number | undefined
}

/** How long each question waited for its answer, and the answer for its effect; for who looks for what is slow. */
export class QuestionTimes {
  readonly #say: LogLine
  readonly #now: () => number
  readonly #open = new Map<string, QuestionTime>()

  constructor(say: LogLine, now: () => number = () => performance.now()) {
    this.#say = say
    this.#now = now
  }

  note(session: string, event: SessionEvent): void {
    switch (event.type) {
      case 'approval.opened':
        this.#open.set(event.approvalId, { session, toolUseId: event.toolUseId, asked: this.#now() })
        return
      case 'approval.settled':
        return this.#answered(event.approvalId, event.status)
      case 'tool.finished':
        for (const [approval, { toolUseId, answered }] of this.#open)
          if (toolUseId === event.toolUseId && answered !== undefined) this.#delivered(approval, answered)
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
    const { session, asked } = times
    this.#say('A question was answered.', { approval, session, status, ms: Math.round(this.#now() - asked) })
    this.#open.set(approval, { ...times, answered: this.#now() })
  }

  #delivered(approval: string, answered: number): void {
    const { session } = this.#open.get(approval) ?? {}
    this.#open.delete(approval)
    const ms = Math.round(this.#now() - answered)
    this.#say('The call of a question has come to its end.', { approval, session, ms })
  }
}
