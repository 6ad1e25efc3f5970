import { recordedSession } from '../../audit/recorded-session.ts'
import { deliveredEntry, sessionEntry } from '../../audit/session-entries.ts'
import type { FloodLimits } from '../../approvals/floods/flood.ts'
import { PromiseQueue } from '../../async/promise-queue.ts'
import { steadyNow } from '../../base/clock.ts'
import type { ApprovalId } from '../../base/ids.ts'
import type { SessionEvent } from '../../events/session-event.ts'
import { ancestorIdsOf } from '../record/ancestor-ids.ts'
import type { Step } from '../record/journal.ts'
import type { Store } from '../record/store.ts'
import type { Doorbells } from '../record/session-doorbells.ts'
import { stateFrom } from '../record/checkpoint.ts'
import type { Ledger } from './ledger.ts'
import { advance } from './step-from-events.ts'
import { titleOf } from './turn-rows.ts'
import type { Run, Session } from '../record/session.ts'
import { evolveAll } from '../record/evolve-session.ts'
import type { SessionState } from '../record/session-state.ts'

export interface AppendOptions {
  /** The run's row, when it begins or its offset has moved. */
  readonly run?: Run
}

/** Shared by all writers of a hub. */
export interface WriterDeps {
  readonly store: Store
  readonly doorbells: Doorbells
  readonly now: () => number
  /** For spans of time: it does not jump. */
  readonly steadyNow?: (() => number) | undefined
  /** From how many questions on a person is shown no more; `off` is never. */
  readonly flood?: FloodLimits | 'off' | undefined
  /** Called with each new session; must not throw. */
  readonly onCreated?: ((session: Session) => void) | undefined
  /** Called with the stored events, in order; must not throw. */
  readonly onStored?: ((session: Session, events: readonly SessionEvent[]) => void) | undefined
  /** For tests of the state after a crash. */
  readonly onMoment?: ((moment: Moment, events: readonly SessionEvent[]) => void) | undefined
}

/** What one session's writer stores in a step with others. */
export interface WriterEvents {
  readonly writer: SessionWriter
  readonly events: readonly SessionEvent[]
}

interface NextStep {
  readonly writer: SessionWriter
  readonly ledger: Ledger
  readonly step: Step
  readonly stored: readonly SessionEvent[]
}

export type Moment = 'before-commit' | 'after-commit' | 'after-put'

/** The only writer of a session: one step after the other, each stored before anything follows from it. */
export class SessionWriter {
  readonly #deps: WriterDeps
  #ledger: Ledger
  /** Its row is stored with its first step. */
  #isNew: boolean
  #steppedAt = performance.now()
  readonly #steps = new PromiseQueue()

  private constructor(deps: WriterDeps, ledger: Ledger, { isNew }: { isNew: boolean }) {
    this.#deps = deps
    this.#ledger = ledger
    this.#isNew = isNew
  }

  /** For a session that is not stored yet: it is stored with its first step. */
  static ofNew(deps: WriterDeps, session: Session): SessionWriter {
    const ledger = { session, state: stateFrom(undefined), run: undefined, turn: undefined, title: '' }
    return new SessionWriter(deps, ledger, { isNew: true })
  }

  /** Folds the stored events after the last checkpoint. */
  static async open(deps: WriterDeps, session: Session): Promise<SessionWriter> {
    const { store } = deps
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
    return new SessionWriter(deps, ledger, { isNew: false })
  }

  get state(): SessionState {
    return this.#ledger.state
  }

  get session(): Session {
    return this.#ledger.session
  }

  /** For how long nothing was written, by a clock that does not jump. */
  get quietMs(): number {
    return performance.now() - this.#steppedAt
  }

  /** Rings with every step. Listen first, read second, wait third. */
  listen(): ReturnType<Doorbells['listen']> {
    return this.#deps.doorbells.listen(this.session.id)
  }

  get run(): Run | undefined {
    return this.#ledger.run
  }

  /** Stores the events (with what follows from them) and wakes the readers. If it throws, nothing has happened. */
  append(events: readonly SessionEvent[], options: AppendOptions = {}): Promise<void> {
    return this.decide(() => events, options)
  }

  /** The same for events that depend on the state when their step begins. If there are none, nothing is stored. */
  decide(
    events: (state: SessionState) => readonly SessionEvent[],
    options: AppendOptions = {},
  ): Promise<void> {
    return this.#steps.run(() => this.#append(events(this.#ledger.state), options))
  }

  async #append(events: readonly SessionEvent[], options: AppendOptions): Promise<void> {
    if (events.length === 0 && options.run === undefined) return
    await this.#knowAncestors()
    await SessionWriter.#commit([this.#next(events, options)])
  }

  /**
   * Stores events of several sessions in one transaction: those of all or of none. Each writer may be given once. The queues are
   * entered in one order, so that two of these never wait for each other.
   */
  static appendTogether(parts: readonly WriterEvents[]): Promise<void> {
    const commit = async () => {
      for (const { writer } of parts) await writer.#knowAncestors()
      await SessionWriter.#commit(parts.map(({ writer, events }) => writer.#next(events)))
    }
    const inOrder = parts.toSorted((a, b) => (a.writer.session.id < b.writer.session.id ? 1 : -1))
    return inOrder.reduce<() => Promise<void>>(
      (work, { writer }) =>
        () =>
          writer.#steps.run(work),
      commit,
    )()
  }

  #next(events: readonly SessionEvent[], { run }: AppendOptions = {}): NextStep {
    const { now, steadyNow: steady = steadyNow, flood } = this.#deps
    const { ledger, step } = advance(this.#ledger, events, { at: now(), steadyAt: steady(), run, flood })
    const stored = step.events.map(({ event }) => event)
    return { writer: this, ledger, step: this.#isNew ? this.#first(ledger, step) : step, stored }
  }

  #first({ session }: Ledger, step: Step): Step {
    const { parentId: parent } = session
    const started = sessionEntry('session-started', recordedSession(this.#ledger), { at: step.at, parent })
    // Plexus did not start what runs in a terminal; what is asked there is recorded.
    const recorded = session.terminal ? step.recorded : [started, ...(step.recorded ?? [])]
    return { ...step, created: session, session: undefined, recorded }
  }

  /** A session never changes its parent, so they are read once; most sessions have none. */
  async #knowAncestors(): Promise<void> {
    const { session, ancestors } = this.#ledger
    if (ancestors || session.parentId === undefined) return
    const found = await ancestorIdsOf(this.#deps.store.sessions, session.parentId)
    this.#ledger = { ...this.#ledger, ancestors: found }
  }

  /** All these writers are in their own queues, so nothing is written between. */
  static async #commit(steps: readonly NextStep[]): Promise<void> {
    const [first] = steps
    if (!first) return
    for (const { writer, stored } of steps) writer.#deps.onMoment?.('before-commit', stored)
    // An answer must survive a loss of power before it is sent to the child.
    const durable = steps.some(({ step }) => step.settled?.some(({ decision }) => decision !== undefined))
    const { journal } = first.writer.#deps.store
    await journal.append(
      steps.map(({ step }) => step),
      { durable },
    )
    for (const { writer, stored } of steps) writer.#deps.onMoment?.('after-commit', stored)
    for (const step of steps) step.writer.#committed(step)
  }

  #committed({ ledger, stored }: NextStep): void {
    const { doorbells, onCreated, onStored } = this.#deps
    if (this.#isNew) onCreated?.(ledger.session)
    this.#isNew = false
    this.#ledger = ledger
    this.#steppedAt = performance.now()
    onStored?.(ledger.session, stored)
    doorbells.ring(ledger.session.id)
  }

  /** In the order of the steps; a step never writes the name. */
  rename(name: string | undefined): Promise<void> {
    return this.#steps.run(() => this.#rename(name))
  }

  async #rename(name: string | undefined): Promise<void> {
    const { name: _, ...session } = this.#ledger.session
    await this.#deps.store.sessions.rename(session.id, name)
    this.#ledger = { ...this.#ledger, session: name === undefined ? session : { ...session, name } }
    this.#deps.doorbells.ring(session.id)
  }

  /** The decision was sent to the child, or returned to its call. Nothing depends on this note, so it need not survive a loss of power. */
  noteSent(approvalId: ApprovalId): Promise<void> {
    const { store, now } = this.#deps
    return store.approvals.setDelivery(
      approvalId,
      'sent',
      deliveredEntry(recordedSession(this.#ledger), approvalId, now()),
    )
  }

  /** What these stored events require was done. */
  followedUp(events: readonly SessionEvent[]): void {
    this.#deps.onMoment?.('after-put', events)
  }
}

const PAGE = 500
