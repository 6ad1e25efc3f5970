import { setImmediate } from 'node:timers/promises'
import type { CallerStore } from '../../callers/caller.ts'
import type { Child } from '../../child/process/child-process.ts'
import type { ControlRequest } from '../../child/lines/stdin-messages.ts'
import { adoptChild, startChild } from '../../child/process/start-child.ts'
import { AppError } from '../../base/errors.ts'
import type { SessionEvent } from '../../events/session-event.ts'
import { FollowedRun, type Taken } from './followed-run.ts'
import { errorOf, eventsOfNoStart, goesOn, type RunEnding, withdrawals } from './run-end-events.ts'
import { LiveRun } from './live-run.ts'
import { type NextRun, nextRun } from './launch-plan.ts'
import { type OutdatedRun, outdatedRun } from './outdated-run.ts'
import { PermitAccess } from './permit-access.ts'
import {
  type Beginning,
  contextOf,
  type Permit,
  type RunContext,
  type Surroundings,
  trustsFoldersOf,
} from './launch-spec.ts'
import type { Remembered } from './session-grants.ts'
import type { SessionWriter } from '../record/session-writer.ts'
import { retryUntilDone } from '../../base/retry.ts'

export interface Ways {
  /** Makes room for one more process, or throws; what it returns is called when the process counts itself. */
  readonly admit: () => Promise<() => void>
  readonly remembered: Remembered
  readonly callers: CallerStore
}

/** A process that is about to be there: what it is for is on record. */
interface Start {
  readonly kind: Beginning['kind']
  readonly launched: Promise<void>
}

/**
 * The process of a session, while it has one: how it begins, is taken over and is followed by the next. Whoever uses it sees
 * to it that it is started and stopped one after the other; `goOn` is called when a process ended and left prompts that the
 * next one may take. A run that is on record as live is in our hands, is just being launched, or its end is being stored.
 */
export class SessionProcess {
  readonly #writer: SessionWriter
  readonly #around: Surroundings
  readonly #ways: Ways
  readonly #goOn: () => Promise<void>
  readonly #permit: PermitAccess
  readonly #letGo = new AbortController()
  #run: FollowedRun | undefined
  #outdated: OutdatedRun | undefined
  #restarts = 0
  #followed: Promise<void> = Promise.resolve()

  constructor(writer: SessionWriter, around: Surroundings, ways: Ways, goOn: () => Promise<void>) {
    this.#writer = writer
    this.#around = around
    this.#ways = ways
    this.#goOn = goOn
    this.#permit = new PermitAccess(writer.session, around, ways.callers)
  }

  get live(): LiveRun | undefined {
    return this.#run?.live
  }

  /** It was started with less protection than it would be today: nothing new is said to it. */
  get outdated(): OutdatedRun | undefined {
    return this.#run && this.#outdated
  }

  /** Settles when the last process is over and its end on record. */
  get followed(): Promise<void> {
    return this.#followed
  }

  /** Aborts when the hub lets go. */
  get closing(): AbortSignal {
    return this.#letGo.signal
  }

  /** Somebody wants something new: failures of before count no more. */
  forgive(): void {
    this.#restarts = 0
  }

  /** Puts these events on record, then starts one and hands it what is owed; how that ends is on record too. */
  async start(events: readonly SessionEvent[]): Promise<Start> {
    const admitted = await this.#ways.admit()
    try {
      const { session, state } = this.#writer
      const { remembered } = this.#ways
      const needs = { session, state, remembered, permit: () => this.#permit.open() }
      const next = await nextRun(needs, this.#around)
      const { kind, run, rules } = next
      const given = rules.length > 0 ? { rules: [...rules] } : {}
      const started = { type: 'run.started', runId: run.id, ...given, notes: true } as const
      await this.#writer.append([started, ...events], { run })
      return { kind, launched: this.#launch(next).finally(admitted) }
    } catch (error) {
      admitted()
      throw error
    }
  }

  /** If there can be no process for the prompts on record, then that is how their turn ends. */
  async startForOwed(): Promise<Beginning['kind']> {
    try {
      const { kind, launched } = await this.start([])
      await launched
      return kind
    } catch (error) {
      const failed: SessionEvent = { type: 'turn.ended', outcome: 'failed', error: errorOf(error) }
      await this.#writer.decide((state) =>
        state.open.prompts.size === 0 ? [] : [failed, ...withdrawals(state)],
      )
      throw error
    }
  }

  /**
   * Takes over the process that is on record, which an earlier hub started. If it throws, nothing is in our hands.
   */
  async adopt(): Promise<void> {
    const { run, session } = this.#writer
    if (!run) return
    const cutOff = await this.#permit.cutOff(run)
    if (cutOff && session.config.carrier === 'control')
      await this.#writer.decide(({ open }) =>
        open.cutOff ? [] : [{ type: 'nesting.ended', reason: NESTING_ENDED }],
      )
    const child = await adoptChild(run.folder, session.id)
    this.#outdated = await outdatedRun(run, child)
    await this.#take(child, this.#newContext(), { adopted: true, cutOff })
  }

  /** What a call of the session's child means. */
  get context(): RunContext {
    return this.live?.context ?? this.#newContext()
  }

  #newContext(): RunContext {
    const { session, state } = this.#writer
    const trusted = trustsFoldersOf(session, state, this.#around)
    return contextOf(session, trusted, this.#around, this.#ways.remembered)
  }

  /** Only where there is no process of ours: it would lose its own. */
  async permitOutside(): Promise<Permit> {
    if (this.#run)
      throw new AppError(
        'in_use',
        'This session has a process of its own; create another session for one from outside.',
      )
    return this.#permit.openOutside()
  }

  /** Ends it and leaves nothing of it behind. */
  async stop(): Promise<void> {
    await this.#run?.stop()
    await this.#followed
  }

  /** From now on nothing is started, answered or taken back. */
  beginToLetGo(): void {
    this.#letGo.abort()
  }

  /** The hub goes, the process stays. */
  async letGo(): Promise<void> {
    await this.#run?.letGo()
    await this.#followed
  }

  /** A question to the child that does not outlive us. */
  async request(request: ControlRequest): Promise<unknown> {
    if (this.#run) return this.#run.request(request)
    throw new AppError('cli_failed', 'The session has no process now; say something to start one.')
  }

  async #launch({ run, spec, context }: NextRun): Promise<void> {
    const { onError } = this.#around
    // Whoever asked for it is told first: to start a process takes longer than to tell.
    await setImmediate()
    this.#around.onStart?.(spec)
    try {
      await this.#take(await startChild(spec), context, { adopted: false, cutOff: false })
    } catch (error) {
      await this.#permit.end(run).catch(onError)
      const store = () => this.#writer.decide((state) => eventsOfNoStart(state, run.id, error))
      await retryUntilDone(store, this.closing)
      throw error
    }
  }

  /** Returns when it was told what it is owed. */
  async #take(child: Child, context: RunContext, how: Taken): Promise<void> {
    const writer = this.#writer
    const { onError } = this.#around
    const live = new LiveRun({ child, writer, context, onError })
    const restarts = () => this.#restarts
    const following = { writer, permit: this.#permit, closing: this.closing, restarts, onError }
    this.#run = new FollowedRun(live, following, how)
    this.#followed = this.#goOnAfter(this.#run.over).catch(onError)
    await live.deliver()
  }

  async #goOnAfter(over: Promise<RunEnding | undefined>): Promise<void> {
    const ending = await over
    if (!ending) return
    this.#run = undefined
    this.#outdated = undefined
    if (this.#writer.state.open.prompts.size === 0 || !goesOn(ending)) return
    this.#restarts += 1
    this.#goOn().catch(this.#around.onError)
  }
}

const NESTING_ENDED =
  'The hub is at another address than before, so this process has no sessions below it any more; the next one will.'
