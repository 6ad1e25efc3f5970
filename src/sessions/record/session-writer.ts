import type { SessionEvent } from '../../events/session-event.ts'
import type { Store } from './store.ts'
import type { Doorbells } from './session-doorbells.ts'
import { stateFrom } from './checkpoint.ts'
import { advance, type Ledger, titleOf } from './step-from-events.ts'
import type { Run, Session } from './session.ts'
import { evolveAll, type SessionState } from './session-state.ts'

export interface AppendOptions {
  /** The run's row, when it begins or its offset has moved. */
  readonly run?: Run
}

/** What every writer of a hub shares. */
export interface Bookkeeping {
  readonly store: Store
  readonly doorbells: Doorbells
  readonly now: () => number
  /** Told of each new session; must not throw. */
  readonly onCreated?: ((session: Session) => void) | undefined
  /** Told what was stored, in order; must not throw. */
  readonly onStored?: ((session: Session, events: readonly SessionEvent[]) => void) | undefined
  /** For tests of what a crash leaves behind. */
  readonly onMoment?: ((moment: Moment, events: readonly SessionEvent[]) => void) | undefined
}

export type Moment = 'before-commit' | 'after-commit' | 'after-put'

/** The only writer of a session: one step after the other, each stored before anything follows from it. */
export class SessionWriter {
  readonly #books: Bookkeeping
  #ledger: Ledger
  /** Its row comes with its first step. */
  #isNew: boolean
  #steppedAt = performance.now()
  #steps: Promise<unknown> = Promise.resolve()

  private constructor(books: Bookkeeping, ledger: Ledger, { isNew }: { isNew: boolean }) {
    this.#books = books
    this.#ledger = ledger
    this.#isNew = isNew
  }

  /** Of a session that is not on record yet: with its first step it is, or it never was. */
  static ofNew(books: Bookkeeping, session: Session): SessionWriter {
    const ledger = { session, state: stateFrom(undefined), run: undefined, turn: undefined, title: '' }
    return new SessionWriter(books, ledger, { isNew: true })
  }

  /** Folds what is on record behind the last checkpoint. */
  static async open(books: Bookkeeping, session: Session): Promise<SessionWriter> {
    const { store } = books
    let state = stateFrom(session.checkpoint?.state)
    for (let after = session.checkpoint?.seq ?? 0; after < session.lastSeq;) {
      const page = await store.events.read(session.id, after, PAGE)
      state = evolveAll(
        state,
        page.map(({ event }) => event),
      )
      after = page.at(-1)?.seq ?? session.lastSeq
    }
    const turn = state.turn === 0 ? undefined : await store.turns.get(session.id, state.turn)
    const [first] = turn && state.inTurn ? await store.events.read(session.id, turn.firstSeq - 1, 1) : []
    const run = state.runId === undefined ? undefined : await store.runs.get(state.runId)
    const ledger = { session, state, run, turn, title: titleOf(first?.event) }
    return new SessionWriter(books, ledger, { isNew: false })
  }

  get state(): SessionState {
    return this.#ledger.state
  }

  get session(): Session {
    return this.#ledger.session
  }

  /** For how long nothing was written; no jump of the clock changes it. */
  get quietMs(): number {
    return performance.now() - this.#steppedAt
  }

  /** Rings with every step. Listen first, read second, wait third. */
  listen(): ReturnType<Doorbells['listen']> {
    return this.#books.doorbells.listen(this.session.id)
  }

  get run(): Run | undefined {
    return this.#ledger.run
  }

  /** Stores the events (with what follows from them) and wakes the readers. If it throws, nothing has happened. */
  append(events: readonly SessionEvent[], options: AppendOptions = {}): Promise<void> {
    return this.decide(() => events, options)
  }

  /** The same for events that depend on how things stand when their turn comes. None: nothing is stored. */
  decide(
    events: (state: SessionState) => readonly SessionEvent[],
    options: AppendOptions = {},
  ): Promise<void> {
    const step = this.#steps.then(() => this.#append(events(this.#ledger.state), options))
    this.#steps = step.catch(() => {})
    return step
  }

  async #append(events: readonly SessionEvent[], { run }: AppendOptions): Promise<void> {
    if (events.length === 0 && run === undefined) return
    const { store, doorbells, now, onCreated, onStored, onMoment } = this.#books
    const { ledger, step } = advance(this.#ledger, events, { at: now(), run })
    const stored = step.events.map(({ event }) => event)
    onMoment?.('before-commit', stored)
    const created = this.#isNew ? { created: ledger.session, session: undefined } : {}
    // An answer must outlive a loss of power before the child hears of it.
    const durable = (step.settled ?? []).some(({ decision }) => decision !== undefined)
    await store.journal.append({ ...step, ...created }, { durable })
    if (this.#isNew) onCreated?.(ledger.session)
    this.#isNew = false
    onMoment?.('after-commit', stored)
    this.#ledger = ledger
    this.#steppedAt = performance.now()
    onStored?.(ledger.session, stored)
    doorbells.ring(ledger.session.id)
  }

  /** The decision was put for the child, or told to who asked. Nothing hangs on it, so it need not outlive the power. */
  noteSent(approvalId: string): Promise<void> {
    return this.#books.store.approvals.setDelivery(approvalId, 'sent')
  }

  /** What follows from the record was done. */
  followedUp(events: readonly SessionEvent[]): void {
    this.#books.onMoment?.('after-put', events)
  }
}

const PAGE = 500
