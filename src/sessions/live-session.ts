import { randomUUID } from 'node:crypto'
import { withTimeout } from '../async/with-timeout.ts'
import { AppError } from '../base/errors.ts'
import type { Use } from '../budgets/budget.ts'
import type { ControlRequest } from '../child/lines/stdin-messages.ts'
import type { EventOf, SessionEvent } from '../events/session-event.ts'
import { requireFreeSpace } from '../system/free-space.ts'
import type { Session } from './record/session.ts'
import { isAtWork } from './record/at-work.ts'
import { isBusy, type SessionState } from './record/session-state.ts'
import { budgetEvents } from './spending/budget-asking.ts'
import type { SessionWriter } from './writing/session-writer.ts'
import { CommandQueue } from './command-queue.ts'
import { interruptTurn } from './run/interrupt-turn.ts'
import { endOnceIdle, recordOutdated } from './run/outdated-run.ts'
import { OutsideProcess } from './run/outside-process.ts'
import { canContinue } from './run/run-end-events.ts'
import { SessionQuestions } from './run/session-questions.ts'
import type { SessionRun } from './run/session-run.ts'
import { type ProcessDeps, processDeps, type SessionParts } from './run/process-deps.ts'
import { adoptRun, startForOwed, startRun } from './run/start-run.ts'
import { promptOf, type Said, type Utterance } from './launch/prompt-kinds.ts'

/**
 * A session in memory: its queue of commands, its only writer and, while it needs one, its process. A process that is live on
 * record is held here, is being launched, or its end is being stored.
 */
export class LiveSession {
  readonly #writer: SessionWriter
  readonly #deps: ProcessDeps
  readonly questions: SessionQuestions
  readonly outside: OutsideProcess
  readonly #closing = new AbortController()
  #run: SessionRun | undefined
  /** Resolves when the last process has ended and its end is on record. */
  #runOver: Promise<void> = Promise.resolve()
  #restarts = 0
  readonly #commands = new CommandQueue()
  #ending = false

  constructor(parts: SessionParts) {
    this.#writer = parts.writer
    this.#deps = processDeps(parts, {
      closing: this.#closing.signal,
      restarts: () => this.#restarts,
      onRun: (run) => this.#take(run),
    })
    this.outside = new OutsideProcess(this.#deps, (work) =>
      this.#commands.run(() =>
        work({ exists: this.hasProcess, isAtRest: this.#isAtRest, stop: () => this.#stop() }),
      ),
    )
    this.questions = new SessionQuestions(this.#deps, () => this.#run)
  }

  get session(): Session {
    return this.#writer.session
  }

  get state(): SessionState {
    return this.#writer.state
  }

  get hasProcess(): boolean {
    return this.#run !== undefined
  }

  /** The pid of its process, once that exists. */
  async pid(): Promise<number | undefined> {
    return (await this.#run?.child.processes())?.child.pid
  }

  /** Its process was started with less protection than it would be today: it gets no new prompt. */
  get isOutdated(): boolean {
    return this.#run?.outdated !== undefined
  }

  /** For how long the process could have been stopped without loss; undefined while it could not. */
  get idleMs(): number | undefined {
    return this.#isAtRest && this.#commands.isEmpty ? this.#writer.quietMs : undefined
  }

  get outputBytes(): number {
    return this.#writer.run?.offset ?? 0
  }

  async say(said: Utterance): Promise<Said> {
    // Not in the queue: on a full disk, the end of the previous process may wait there to be stored.
    requireFreeSpace(this.#deps.environment.home)
    return this.#commands.run(() => this.#say(promptOf(said)))
  }

  /** Sends a prompt about news from below, unless the session knows it, or is at work and will read it by itself. */
  async wakeFor(news: string, content: string): Promise<void> {
    requireFreeSpace(this.#deps.environment.home)
    await this.#commands.run(async () => {
      if (isBusy(this.state) || this.state.stopped || this.state.knows.includes(news)) return
      await this.#say({ content, wakesFor: news })
    })
  }

  /** Stores that the session has read this news from below. */
  async noteSeen(news: string): Promise<void> {
    await this.#writer.decide(({ knows }) => (knows.includes(news) ? [] : [{ type: 'below.seen', news }]))
  }

  /** Stores what was decided about its budget. */
  async noteBudget(event: EventOf<'budget.set'>): Promise<void> {
    await this.#writer.append([event])
  }

  /** Stores how much of its budget is used, and asks about it or withdraws the question. */
  async noteUse(uses: readonly Use[], tree: { readonly isAtWork: boolean }): Promise<void> {
    await this.#writer.decide((state) => budgetEvents(state, uses, tree))
  }

  /** Stores, once for a turn, that a budget which it spends from is used up. */
  async noteUsedUp(event: EventOf<'budget.used_up'>): Promise<void> {
    await this.#writer.decide(({ overBudget }) => (overBudget?.message === event.message ? [] : [event]))
  }

  /** Ends the turn; a process whose background work continues ends too. */
  async endWork(): Promise<void> {
    await this.interrupt()
    if (isBusy(this.state)) await this.stop()
  }

  /** Ends the turn, keeps the process, and withdraws the prompts that are queued. */
  async interrupt(): Promise<void> {
    await this.outside.requireNone()
    await this.#commands.settled() // after it, a process that is being started exists
    if (this.#run) await interruptTurn(this.#run, this.#writer)
  }

  /** Takes effect at once in a living process; otherwise with the next process. */
  async setMode(mode: string): Promise<void> {
    await this.#commands.settled()
    if (this.#run) await this.#run.request({ subtype: 'set_permission_mode', mode })
    else await this.#writer.append([{ type: 'mode.changed', mode }])
  }

  async setModel(model: string): Promise<void> {
    await this.#commands.settled()
    await this.#run?.request({ subtype: 'set_model', model })
    await this.#writer.append([{ type: 'model.chosen', model }])
  }

  /** Adopts the process that an earlier hub left, if any. Call it before anything else. */
  async adopt(): Promise<void> {
    // Whether a terminal that was found still runs is seen where it was found.
    if (this.state.outside && !this.state.outside.found) this.outside.watch()
    if (this.state.runId === undefined) return
    await adoptRun(this.#deps)
    const outdated = this.#run?.outdated
    if (!outdated) return
    const { signal } = this.#closing
    const recorded = recordOutdated(this.#writer, outdated, signal)
    recorded.then(() => endOnceIdle(this, this.#writer, signal)).catch(this.#deps.environment.onError)
    // The first who asks about the session reads that it is outdated. On a full disk it is recorded later.
    await withTimeout(
      recorded.catch(() => {}),
      RECORD_MS,
      undefined,
    )
  }

  /** Starts a process for accepted prompts without one: an earlier hub or process ended before they were delivered. */
  startForOwedPrompts(): Promise<void> {
    return this.#commands.run(async () => {
      if (this.#run || this.state.outside || this.#isOver) return
      if (this.state.open.prompts.size > 0) await startForOwed(this.#deps)
    })
  }

  /** Ends a process that has been idle for `ms`; returns whether it did. */
  async stopIfIdle(ms: number): Promise<boolean> {
    const { idleMs } = this
    if (!this.hasProcess || idleMs === undefined || idleMs < ms) return false
    await this.stop() // in this same tick, so nothing is queued before it
    return true
  }

  /** Ends the process and everything that it started. The session can be resumed later. */
  stop(): Promise<void> {
    return this.#commands.run(() => this.#stop())
  }

  /** The same at the request of a caller: until the next prompt, news from below does not wake the session. */
  async stopAndStay(): Promise<void> {
    await this.outside.requireNone()
    await this.stop()
    if (this.session.config.nested) await this.noteStopped()
  }

  /** Nothing is started until the next prompt, and the answer to stop it is carried out. */
  async noteStopped(): Promise<void> {
    await this.#writer.decide(({ stopped, mustStop }) =>
      stopped && !mustStop ? [] : [{ type: 'session.stopped' }],
    )
  }

  rename(name: string | undefined): Promise<void> {
    return this.#writer.rename(name)
  }

  /** Ends the process for good, and then removes the session. */
  remove(removeRows: () => Promise<void>, { evenAtWork }: { evenAtWork: boolean }): Promise<void> {
    return this.#commands.run(async () => {
      await this.outside.requireNone()
      if (!evenAtWork && isAtWork(this.session))
        throw new AppError('in_use', 'The session is at work; stop it first, or delete it with stop.')
      await this.#stop()
      await this.outside.cleanUp()
      await removeRows()
      this.#ending = true
    })
  }

  /** The hub ends, and the process with it; no other process is started. */
  async end(): Promise<void> {
    this.#ending = true
    await this.stop()
  }

  /** The hub ends, the process keeps running: from now on nothing is started, answered or withdrawn. */
  async detach(): Promise<void> {
    this.#closing.abort()
    await this.#commands.settled()
    await this.#run?.detach()
    await this.#runOver
  }

  /** A request to the child; its answer does not outlive the hub. */
  async request(request: ControlRequest): Promise<unknown> {
    if (this.#run) return this.#run.request(request)
    throw new AppError('cli_failed', 'The session has no process now; send a prompt to start one.')
  }

  /** No turn, no question, no prompt, and nothing in the background. */
  get #isAtRest(): boolean {
    return !isBusy(this.state) && this.state.shells.length === 0
  }

  get #isOver(): boolean {
    return this.#ending || this.#closing.signal.aborted
  }

  async #say(prompt: Omit<EventOf<'prompt.accepted'>, 'type' | 'promptId'>): Promise<Said> {
    if (this.#isOver) throw hubIsEnding()
    await this.outside.requireNone()
    if (this.isOutdated && this.#isAtRest) await this.#stop()
    const promptId = randomUUID()
    const queued = this.state.inTurn
    const accepted: SessionEvent = { type: 'prompt.accepted', promptId, ...prompt }
    this.#restarts = 0 // failures before this prompt do not count against it
    const run = this.#run
    if (!run) {
      const { kind, launched } = await startRun(this.#deps, [accepted])
      // The caller need not wait for the process: the prompt is on record, and its outcome will be.
      this.#commands.holdUntil(launched.catch(() => {}))
      return { promptId, queued, process: kind }
    }
    await this.#writer.append([accepted])
    if (this.state.runId !== undefined) {
      await run.deliver()
      return { promptId, queued, process: 'warm' }
    }
    // The end of the process was stored before the prompt.
    await this.#runOver
    return { promptId, queued: false, process: await startForOwed(this.#deps) }
  }

  async #take(run: SessionRun): Promise<void> {
    this.#run = run
    this.#runOver = this.#afterEnd(run).catch(this.#deps.environment.onError)
    await run.deliver()
  }

  /** Undelivered prompts go to the next process, if that may help. */
  async #afterEnd(run: SessionRun): Promise<void> {
    const ending = await run.ended
    if (!ending) return
    this.#run = undefined
    if (this.state.open.prompts.size === 0 || !canContinue(ending)) return
    this.#restarts += 1
    this.startForOwedPrompts().catch(this.#deps.environment.onError)
  }

  async #stop(): Promise<void> {
    await this.#run?.stop()
    await this.#runOver
  }
}

export function hubIsEnding(): AppError {
  return new AppError('busy', 'Plexus is about to end; try again when it is back.')
}

const RECORD_MS = 1_000
