import { formAnswerer } from '../../callers/form-answerer.ts'
import type { Caller } from '../../callers/access-rules.ts'
import type { Engine, PendingQuestion } from '../../engine/engine.ts'
import { canPutForms, type ConnectionAsk, isPersonKnown, askTarget } from '../../engine/access/ask-target.ts'
import { hasPerson, type Seat } from './known-person.ts'

/** A client that takes forms, and what is known of the person there. */
export class FormPlace {
  readonly caller: Caller
  readonly client: string
  readonly #seat: Seat
  /** Milliseconds since 1970: between two rounds of a call there may be two processes. */
  readonly now: () => number

  constructor(caller: Caller, client: string, seat: Seat, now: () => number) {
    this.caller = caller
    this.client = client
    this.#seat = seat
    this.now = now
  }

  get #connection(): ConnectionAsk {
    const { ask, forms } = this.#seat
    const known = hasPerson(this.#seat, this.client)
    return { ask, hasPerson: known, takesForms: true, formsOff: forms.isOff }
  }

  /** True if forms can be put here now. */
  get isOpen(): boolean {
    return canPutForms(this.#connection)
  }

  /** True if this question is to be put as a form. */
  async takes(engine: Engine, { sessionId }: PendingQuestion): Promise<boolean> {
    if (!this.isOpen) return false
    const session = await engine.getSession({ caller: this.caller }, { sessionId })
    return askTarget(session, this.#connection).form
  }

  /** The answerer: a person only if a person is known to sit here and took enough time to read. */
  answererAfter(tookMs: number): Caller {
    const person = isPersonKnown(this.#connection) && !isQuick(tookMs)
    return formAnswerer(this.caller, this.client, person)
  }

  /** The client has declined a form that nobody can have read: it gets no more forms. */
  turnOff(): void {
    this.#seat.forms.turnOff()
  }
}

/** Too quick for a person to read and answer. A negative time (the clock was set back) counts as quick too. */
export function isQuick(tookMs: number): boolean {
  return tookMs <= QUICK_MS
}

const QUICK_MS = 1_000
