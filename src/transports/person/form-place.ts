import { formAnswerer } from '../../callers/form-answerer.ts'
import type { Caller } from '../../callers/access-rules.ts'
import type { Engine, PendingQuestion } from '../../engine/engine.ts'
import { canPutForms, type ConnectionAsk, isPersonKnown, askTarget } from '../../engine/access/ask-target.ts'
import { hasPerson, type Seat } from './known-person.ts'

/** Where forms are put: a client that takes them, and what is known of who sits there. */
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

  get #connected(): ConnectionAsk {
    const { ask, forms } = this.#seat
    const known = hasPerson(this.#seat, this.client)
    return { ask, hasPerson: known, takesForms: true, formsOff: forms.isOff }
  }

  /** Whether any form can be put here now. */
  get isOpen(): boolean {
    return canPutForms(this.#connected)
  }

  /** Whether this question is to be put as a form. */
  async takes(engine: Engine, { sessionId }: PendingQuestion): Promise<boolean> {
    if (!this.isOpen) return false
    const session = await engine.getSession({ caller: this.caller }, { sessionId })
    return askTarget(session, this.#connected).form
  }

  /** Who has answered, by how long that took; a person only where one is known to sit, and took the time to read. */
  answererAfter(tookMs: number): Caller {
    const person = isPersonKnown(this.#connected) && !isQuick(tookMs)
    return formAnswerer(this.caller, this.client, person)
  }

  /** The client has declined a form that nobody can have read: it is given no more. */
  turnOff(): void {
    this.#seat.forms.turnOff()
  }
}

/** Nobody reads a question and answers it in this time; a time that runs backwards says nothing either. */
export function isQuick(tookMs: number): boolean {
  return tookMs <= QUICK_MS
}

const QUICK_MS = 1_000
