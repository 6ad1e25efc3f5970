import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type { CallerStore } from '../callers/caller.ts'
import type { ControlRequest } from '../child/control.ts'
import type { FoundCli } from '../child/find-cli.ts'
import { readStderrTail } from '../child/run-folder.ts'
import { adoptChild, type ChildSpec, startChild } from '../child/start-child.ts'
import { AppError } from '../errors.ts'
import type { ErrorInfo, SessionEvent } from '../events/session-event.ts'
import { whenThereIsSpace } from './free-space.ts'
import { eventsOfEnd, goesOn, type RunEnding } from './how-run-ended.ts'
import { LiveRun } from './live-run.ts'
import { PermitAccess } from './permit-access.ts'
import {
  type Beginning,
  beginningOf,
  contextOf,
  type Permit,
  policyOf,
  type RunContext,
  specOf,
  trustsFoldersOf,
  type Surroundings,
} from './prepare-run.ts'
import type { Remembered } from './remembered.ts'
import type { Run, Session } from './session.ts'
import type { SessionState } from './session-state.ts'
import type { SessionWriter } from './session-writer.ts'

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
 * The process of a session, while it has one: how it begins, is followed, asked and ended. Whoever uses it sees to it that
 * it is started and stopped one after the other; `goOn` is called when a process ended and left prompts that the next one may take.
 */
export class SessionProcess {
  readonly #writer: SessionWriter
  readonly #around: Surroundings
  readonly #ways: Ways
  readonly #goOn: () => Promise<void>
  readonly #permit: PermitAccess
  readonly #letGo = new AbortController()
  #live: LiveRun | undefined
  #stopping = false
  #failure: string | undefined
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
    return this.#live
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

  get #session(): Session {
    return this.#writer.session
  }

  get #state(): SessionState {
    return this.#writer.state
  }

  /** Puts these events on record, then starts one and hands it what is owed; how that ends is on record too. */
  async start(events: readonly SessionEvent[]): Promise<Start> {
    const admitted = await this.#ways.admit()
    try {
      const { kind, launched } = await this.#startAdmitted(events)
      return { kind, launched: launched.finally(admitted) }
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
        state.open.prompts.size === 0 ? [] : [failed, ...withdrawn(state)],
      )
      throw error
    }
  }

  /** Takes over the process that an earlier hub started. */
  async adopt(run: Run): Promise<void> {
    this.#take(
      new LiveRun(
        await adoptChild(run.folder, this.#session.id),
        this.#writer,
        this.#contextFor(await this.#around.findCli()),
      ),
      { adopted: true },
    )
    await this.#live?.deliver()
  }

  /** What a call of the session's child means; of a process that is not ours we do not know the version. */
  get context(): RunContext {
    return this.#live?.context ?? this.#contextFor({ version: '' })
  }

  /** Only where there is no process of ours: it would lose its own. */
  async permitOutside(): Promise<Permit> {
    if (this.#live)
      throw new AppError(
        'in_use',
        'This session has a process of its own; create another session for one from outside.',
      )
    const permit = this.#session.config.carrier === 'mcp' ? await this.#permit.open() : undefined
    if (permit) return permit
    throw new AppError(
      'invalid_input',
      'Only a session with carrier "mcp" can be asked for from outside; create one with it.',
    )
  }

  /** Ends it and leaves nothing of it behind. */
  async stop(): Promise<void> {
    if (!this.#live) return
    this.#stopping = true
    await this.#live.child.stop()
    await this.#followed
  }

  /** From now on nothing is started, answered or taken back. */
  beginToLetGo(): void {
    this.#letGo.abort()
  }

  /** The hub goes, the process stays. */
  async letGo(): Promise<void> {
    this.#live?.child.close()
    await this.#followed
  }

  /** A question to the child that does not outlive us. */
  async request(request: ControlRequest): Promise<unknown> {
    const live = this.#live
    if (!live) throw new AppError('cli_failed', 'The session has no process now; say something to start one.')
    const late = AbortSignal.timeout(ANSWER_MS)
    try {
      return await live.control.send(request, AbortSignal.any([late, live.over, this.#letGo.signal]))
    } catch (cause) {
      if (cause instanceof AppError) throw cause
      const what = late.aborted ? `did not answer within ${ANSWER_MS / 1_000} s` : 'ended before it answered'
      throw new AppError('cli_failed', `Claude Code ${what}; look at the session and try again.`, { cause })
    }
  }

  #contextFor({ version }: Pick<FoundCli, 'version'>): RunContext {
    const { remembered } = this.#ways
    return contextOf(this.#session, policyOf(this.#session, version, this.#around, remembered), remembered)
  }

  async #startAdmitted(events: readonly SessionEvent[]): Promise<Start> {
    const around = this.#around
    const beginning = await beginningOf(this.#session, around)
    const cli = await around.findCli()
    const permit = await this.#permit.open()
    const trusted = trustsFoldersOf(this.#session, this.#state, around)
    const context = this.#contextFor(cli)
    const id = randomUUID()
    const folder = join(around.home, 'runs', id)
    const run: Run = { id, sessionId: this.#session.id, folder, offset: 0, startedAt: Date.now() }
    const { rules } = this.#ways.remembered
    const parts = { session: this.#session, state: this.#state, run, permit, cli, trusted, rules }
    const spec = specOf(parts, beginning, around)
    const started: SessionEvent = { type: 'run.started', runId: id, ...(rules.length > 0 ? { rules } : {}) }
    await this.#writer.append([started, ...events], { run })
    // Whoever asked for it is told first: to start a process takes longer than to tell.
    return { kind: beginning.kind, launched: setImmediate().then(() => this.#launch(run, spec, context)) }
  }

  async #launch(run: Run, spec: ChildSpec, context: RunContext): Promise<void> {
    try {
      this.#take(new LiveRun(await startChild(spec), this.#writer, context), { adopted: false })
    } catch (error) {
      await this.#permit.end(run)
      const told = errorOf(error)
      await this.#writer.decide((state) => [
        { type: 'run.ended', runId: run.id, error: told },
        ...withdrawn(state),
      ])
      throw error
    }
    await this.#live?.deliver()
  }

  #take(live: LiveRun, { adopted }: { adopted: boolean }): void {
    this.#live = live
    this.#stopping = false
    this.#failure = undefined
    live.holdsPrompts = this.#permit.used
    this.#followed = this.#follow(live).catch(this.#around.onError)
    if (this.#permit.used) this.#connect(live, adopted).catch(this.#around.onError)
  }

  /** The child hears of its first prompt when it can ask; one that never can is ended. */
  async #connect(live: LiveRun, adopted: boolean): Promise<void> {
    const signal = AbortSignal.any([live.over, this.#letGo.signal])
    try {
      await this.#permit.connect(live, adopted, signal)
    } catch (error) {
      if (signal.aborted) return
      // One that asks by control is supervised all the same: after a restart it goes on, without sessions below it.
      if (adopted && this.#session.config.carrier === 'control' && !isForbidden(error)) {
        this.#around.onError(error)
        return await this.#release(live)
      }
      this.#failure = error instanceof Error ? error.message : String(error)
      await live.child.stop()
      return
    }
    await this.#release(live)
  }

  async #release(live: LiveRun): Promise<void> {
    live.holdsPrompts = false
    await live.deliver()
  }

  async #follow(live: LiveRun): Promise<void> {
    const { signal } = this.#letGo
    const end = await live.follow(signal)
    if (!end) return
    const ending: RunEnding = {
      end,
      stderr: await readStderrTail(live.child.run),
      stopped: this.#stopping,
      lived: live.lived,
      restarts: this.#restarts,
      failure: this.#failure,
    }
    live.child.close()
    const { run } = this.#writer
    if (run) await this.#permit.end(run).catch(this.#around.onError)
    await whenThereIsSpace(() => this.#writer.decide((state) => eventsOfEnd(state, ending)), signal)
    if (signal.aborted) return
    this.#live = undefined
    if (this.#state.open.prompts.size === 0 || !goesOn(ending)) return
    this.#restarts += 1
    this.#goOn().catch(this.#around.onError)
  }
}

function withdrawn({ open }: SessionState): SessionEvent[] {
  return [...open.prompts.keys()].map((promptId) => ({ type: 'prompt.withdrawn', promptId }))
}

function isForbidden(error: unknown): boolean {
  return error instanceof AppError && error.code === 'forbidden'
}

function errorOf(error: unknown): ErrorInfo {
  if (error instanceof AppError) return { code: error.code, message: error.message }
  return { code: 'cli_failed', message: `Claude Code could not be started: ${String(error)}.` }
}

const ANSWER_MS = 10_000
