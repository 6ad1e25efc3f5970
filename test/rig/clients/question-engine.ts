/** An engine with sessions whose questions the test opens and settles, and what it was asked to do. */
import { questionsOf } from '../../../src/approvals/question.ts'
import { AppError } from '../../../src/base/errors.ts'
import type { Caller } from '../../../src/callers/access-rules.ts'
import type { CallContext, Engine, PendingQuestion } from '../../../src/engine/engine.ts'
import type { SessionEvent } from '../../../src/events/session-event.ts'
import type { Page } from '../../../src/sessions/record/read-events.ts'
import { FormPlace } from '../../../src/transports/person/form-place.ts'
import { FormSwitch, type Seat } from '../../../src/transports/person/known-person.ts'
import { anApproval, aSession } from '../../contracts/rows.ts'
import { asApprovalId, branded, type PlainIds } from '../tools/ids.ts'
import { CALLERS } from './family.ts'

export const LAST_SEQ = 4

export function aQuestion(fields: Partial<PlainIds<PendingQuestion>> = {}): PendingQuestion {
  const approval = anApproval({ id: 'q1', ...fields })
  return branded<PendingQuestion>({
    ...approval,
    questions: questionsOf(approval),
    suggestedRules: [],
    ...fields,
  })
}

/** At a client with a person; the clock stands still unless the test moves it. */
export function aPlace(seat: Partial<Seat> = {}, now = () => 1_000_000): FormPlace {
  return new FormPlace(
    CALLERS.owner,
    'test',
    { ask: 'both', isTerminal: false, forms: new FormSwitch(), ...seat },
    now,
  )
}

export class QuestionEngine {
  readonly open: PendingQuestion[] = []
  readonly answered: { readonly caller: Caller; readonly input: object }[] = []
  readonly followed: {
    readonly sessionId: string
    readonly after: number
    readonly signal: AbortSignal | undefined
  }[] = []
  /** Thrown when a question is answered. */
  refusal: unknown
  /** Thrown when events are followed. */
  lost: unknown
  readonly #readers = new Set<(page: Page) => void>()
  readonly engine: Engine

  constructor(...open: readonly PendingQuestion[]) {
    this.open.push(...open)
    const engine: Pick<Engine, 'getSession' | 'pending' | 'answer' | 'followEvents'> = {
      getSession: async ({ caller }, { sessionId }) => {
        if (caller.id !== CALLERS.owner.id || !sessionId?.startsWith('s'))
          throw new AppError('not_found', 'There is no such session.')
        return aSession({ id: sessionId, lastSeq: LAST_SEQ })
      },
      pending: async (_, { sessionId }) => this.open.filter((one) => one.sessionId === sessionId),
      answer: async ({ caller }, input) => {
        if (this.refusal !== undefined) throw this.refusal
        this.answered.push({ caller, input })
        return {} as Awaited<ReturnType<Engine['answer']>>
      },
      followEvents: (call, input) => this.#follow(call, input),
    }
    this.engine = engine as Engine
  }

  emit(...events: SessionEvent[]): void {
    const page = { events: events.map((event) => ({ seq: 5, turn: 1, at: 5, event })) }
    for (const read of this.#readers) read(page)
  }

  settle(approvalId: string, fields: { status?: 'denied' | 'expired'; by?: string } = {}): void {
    this.emit({ type: 'approval.settled', approvalId: asApprovalId(approvalId), status: 'denied', ...fields })
  }

  async *#follow({ signal }: CallContext, input: { sessionId: string; after: number }): AsyncGenerator<Page> {
    this.followed.push({ ...input, signal })
    if (this.lost !== undefined) throw this.lost
    const pages: Page[] = []
    let wake: (() => void) | undefined
    this.#readers.add((page) => {
      pages.push(page)
      wake?.()
    })
    signal?.addEventListener('abort', () => wake?.())
    for (;;) {
      const page = pages.shift()
      if (signal?.aborted) return
      if (page) yield page
      else await new Promise<void>((resolve) => (wake = resolve))
    }
  }
}
