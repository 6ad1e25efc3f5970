/**
 * A desk, its sessions and their children over many lives of a hub, on a clock that a test moves. Every call to the store
 * is a moment in which others may come between, in an order that the scheduler chooses, or in which the hub may die.
 */
import { setImmediate } from 'node:timers/promises'
import type * as fc from 'fast-check'
import { Desk } from '../../../src/approvals/desk.ts'
import { Deliveries } from '../../../src/child/state/owed-messages.ts'
import type { Decision } from '../../../src/events/decision.ts'
import type { SessionEvent } from '../../../src/events/session-event.ts'
import { PermitCalls } from '../../../src/sessions/run/permit-calls.ts'
import { Doorbells } from '../../../src/sessions/record/session-doorbells.ts'
import type { Session } from '../../../src/sessions/record/session.ts'
import { SessionWriter } from '../../../src/sessions/writing/session-writer.ts'
import type { Store } from '../../../src/sessions/record/store.ts'
import { FakeChild } from '../cli/fake-child.ts'
import { sessionsWith } from './desk-rig.ts'
import { FakeClock } from '../tools/fake-clock.ts'

/** One session in one life of the hub. */
interface Seat {
  readonly writer: SessionWriter
  readonly askers: PermitCalls
  readonly deliver: () => Promise<void>
}

export interface Life {
  readonly store: Store
  readonly desk: Desk
  readonly seats: Map<string, Seat>
  /** Aborts when the hub dies: whatever it had under way stops where it is. */
  readonly over: AbortController
}

export class DeskLives {
  readonly clock = new FakeClock()
  readonly child = new FakeChild()
  /** Decisions that would outlive a loss of power, by question. */
  readonly durable = new Map<string, Decision | undefined>()
  /** When each question was settled, by the time that does not jump. */
  readonly settledAt = new Map<string, number>()
  readonly errors: unknown[] = []
  /** Called with every event, inside the notice that it was stored. */
  onStored: (event: SessionEvent) => void = () => {}
  life!: Life
  /** As it is, without a moment in between. */
  store!: Store
  readonly #open: () => Promise<Store>
  readonly #scheduler: fc.Scheduler

  constructor(open: () => Promise<Store>, scheduler: fc.Scheduler) {
    this.#open = open
    this.#scheduler = scheduler
  }

  /** As a hub begins, for the first time or after its end: limits begin anew, what is owed is put again. */
  async begin(sessionIds: readonly string[]): Promise<void> {
    const real = await this.#open()
    this.store = real
    const over = new AbortController()
    const store = this.#watched(real, over.signal)
    const seats = new Map<string, Seat>()
    const desk = new Desk({
      approvals: store.approvals,
      sessions: sessionsWith(async (sessionId, settled) => {
        const seat = seats.get(sessionId)
        await seat?.writer.append([{ type: 'approval.settled', ...settled }])
        await seat?.deliver()
      }),
      onError: (error) => this.errors.push(error),
      clock: this.clock,
    })
    this.life = { store, desk, seats, over }
    for (const id of sessionIds) await this.#sitDown(id, real)
    for (const { id, sessionId, bytes } of await real.approvals.pendingIds()) {
      const session = seats.get(sessionId)?.writer.session
      if (session) desk.track(id, session, bytes)
    }
    for (const { deliver } of seats.values()) void deliver()
  }

  /** The hub dies where it stands. */
  async crash(): Promise<void> {
    this.life.over.abort()
    this.clock.forgetTimers()
    await setImmediate()
  }

  /** Until nothing that has begun can continue by itself. */
  async idle(): Promise<void> {
    await setImmediate()
    while (this.#scheduler.count() > 0) await this.some(1)
  }

  /** At most so many moments pass. */
  async some(moments: number): Promise<void> {
    for (let left = moments; left > 0 && this.#scheduler.count() > 0; left--) {
      await this.#scheduler.waitNext(1)
      await setImmediate()
    }
  }

  async #sitDown(id: string, real: Store): Promise<void> {
    const { store, desk, seats, over } = this.life
    const session = await real.sessions.get(id)
    if (!session) throw new Error(`no session ${id}`)
    const onStored = (stored: Session, events: readonly SessionEvent[]) => {
      desk.watch(stored, events)
      for (const event of events) this.onStored(event)
    }
    const books = { store, doorbells: new Doorbells(), now: () => this.clock.now(), onStored }
    const writer = await SessionWriter.open(books, session)
    const deliveries = new Deliveries(async (message, approvalId) => {
      await this.#moment(over.signal)
      this.child.take(message, this.durable.keys())
      if (approvalId !== undefined) await writer.noteSent(approvalId)
    })
    const askers = new PermitCalls(
      writer,
      () => undefined,
      (error) => this.errors.push(error),
    )
    seats.set(id, { writer, askers, deliver: () => deliveries.deliver(writer.state.open) })
  }

  async #moment(over: AbortSignal): Promise<void> {
    await this.#scheduler.schedule(Promise.resolve())
    if (over.aborted) await new Promise(() => {})
  }

  #watched(store: Store, over: AbortSignal): Store {
    const watched =
      <A extends unknown[], T>(f: (...args: A) => Promise<T>) =>
      async (...args: A): Promise<T> => {
        await this.#moment(over)
        try {
          return await f(...args)
        } finally {
          await this.#moment(over)
        }
      }
    const { approvals, journal, sessions } = store
    return {
      ...store,
      sessions: { ...sessions, get: watched((id) => sessions.get(id)) },
      approvals: {
        ...approvals,
        get: watched((id) => approvals.get(id)),
        ofToolUse: watched((id, toolUse) => approvals.ofToolUse(id, toolUse)),
        setDelivery: watched((...given) => approvals.setDelivery(...given)),
      },
      journal: {
        append: watched(async (step, options) => {
          const seq = await journal.append(step, options)
          for (const { approvalId, decision } of [step].flat().flatMap(({ settled = [] }) => settled)) {
            this.settledAt.set(approvalId, this.clock.steady)
            if (options?.durable) this.durable.set(approvalId, decision)
          }
          return seq
        }),
      },
    }
  }
}
