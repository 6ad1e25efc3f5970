import { AT_WORK } from '../../sessions/record/at-work.ts'
import type { CallContext, Engine, PendingQuestion } from '../../engine/engine.ts'
import type { Output } from '../output.ts'
import { questionId } from '../views/question-views.ts'
import { settledLine } from '../views/answer-lines.ts'
import { type AtStop, askedLine, stopLines } from './face-lines.ts'

export interface HubFaceParts {
  readonly engine: Engine
  readonly context: CallContext
  readonly out: Pick<Output, 'line' | 'style'>
  /** The width of the terminal now. */
  readonly columns: () => number
  readonly homeFlag: string
}

const MANY = 500

/** What a hub shows at its terminal: a line for each question, and one when it is settled. */
export class HubFace {
  readonly #parts: HubFaceParts
  #open: ReadonlyMap<string, PendingQuestion> = new Map()
  #isReading = false
  #isStale = false

  constructor(parts: HubFaceParts) {
    this.#parts = parts
  }

  /** Reads the open questions again. Calls that come meanwhile cause one more reading. */
  refresh(): void {
    this.#isStale = true
    if (!this.#isReading) void this.#read()
  }

  async #read(): Promise<void> {
    this.#isReading = true
    while (this.#isStale) {
      this.#isStale = false
      // A hub that is closing cannot be read any more, and its face has nothing left to show.
      await this.#show().catch(() => {})
    }
    this.#isReading = false
  }

  async #show(): Promise<void> {
    const { engine, context, out, columns, homeFlag } = this.#parts
    const before = this.#open
    const open = await engine.pending(context, {})
    this.#open = new Map(open.map((question) => [question.id, question]))
    for (const [id, { sessionId }] of before) {
      if (this.#open.has(id)) continue
      // A session that was removed has taken its questions with it.
      const settled = await engine.getApproval(context, { approvalId: id, sessionId }).catch(() => undefined)
      if (!settled) continue
      const { settledAt: at = Date.now() } = settled
      out.line(
        out.style('faint', settledLine(questionId(settled), settled, { at, isOwn: false, asked: settled })),
      )
    }
    for (const question of open)
      if (!before.has(question.id)) out.line(askedLine(question, columns(), homeFlag))
  }

  /** What stays. */
  async stop(options: Pick<AtStop, 'endsChildren'>): Promise<void> {
    const { engine, context, out, homeFlag } = this.#parts
    const sessions = await engine.listSessions(context, { status: AT_WORK, limit: MANY })
    const open = await engine.pending(context, {})
    for (const line of stopLines({ sessions, open, homeFlag, ...options })) out.line(line)
  }
}
