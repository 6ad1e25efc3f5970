import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { CallerStore } from '../callers/caller.ts'
import type { ToolCall } from '../child/hook-opinion.ts'
import type { ControlRequest } from '../child/control.ts'
import { readStderrTail } from '../child/run-folder.ts'
import { adoptChild, startChild } from '../child/start-child.ts'
import { AppError } from '../errors.ts'
import type { Decision, EventOf, SessionEvent } from '../events/session-event.ts'
import { type Asked, Askers } from './askers.ts'
import { requireFreeSpace, whenThereIsSpace } from './free-space.ts'
import { eventsOfEnd, goesOn, type RunEnding } from './how-run-ended.ts'
import { LiveRun } from './live-run.ts'
import { type Beginning, beginningOf, contextOf, specOf, type Surroundings } from './prepare-run.ts'
import { PermitAccess } from './permit-access.ts'
import type { Run, Session } from './session.ts'
import { type SessionState, statusOf } from './session-state.ts'
import type { SessionWriter } from './session-writer.ts'

export type Content = EventOf<'prompt.accepted'>['content']

export interface Said {
  readonly promptId: string
  /** A turn goes on: the message is folded into it or waits for the next. */
  readonly queued: boolean
  /** Into a living process, or how the new one begins. */
  readonly process: 'warm' | Beginning['kind']
}

interface Ways {
  /** Makes room for one more process, or throws; what it returns is called when the process counts itself. */
  readonly admit: () => Promise<() => void>
  /** Knows what was remembered. */
  readonly granted: (call: ToolCall) => boolean
  readonly callers: CallerStore
}

/** A session with its writer and, while it has one, its process. */
export class LiveSession {
  readonly #writer: SessionWriter
  readonly #around: Surroundings
  readonly #admit: () => Promise<() => void>
  readonly #granted: (call: ToolCall) => boolean
  readonly #permit: PermitAccess
  readonly #askers: Askers
  readonly #letGo = new AbortController()
  #live: LiveRun | undefined
  #stopping = false
  #failure: string | undefined
  #restarts = 0
  #one: Promise<unknown> = Promise.resolve()
  #followed: Promise<void> = Promise.resolve()

  constructor(writer: SessionWriter, around: Surroundings, { admit, granted, callers }: Ways) {
    this.#granted = granted
    this.#permit = new PermitAccess(writer.session, around, callers)
    this.#askers = new Askers(writer, granted)
    this.#writer = writer
    this.#around = around
    this.#admit = admit
  }

  get session(): Session {
    return this.#writer.session
  }

  get state(): SessionState {
    return this.#writer.state
  }

  get hasProcess(): boolean {
    return this.#live !== undefined
  }

  /** For how long nothing has gone on that the end of the process would hurt; undefined while something does. */
  get idleMs(): number | undefined {
    const status = statusOf(this.state)
    const busy = status === 'running' || status === 'waiting' || this.state.shells.length > 0
    return busy ? undefined : this.#writer.quietMs
  }

  /** How much the process has said. */
  get outputBytes(): number {
    return this.#writer.run?.offset ?? 0
  }

  say(content: Content): Promise<Said> {
    return this.#alone(async () => {
      await requireFreeSpace(this.#around.home)
      const promptId = randomUUID()
      const queued = this.state.inTurn
      const accepted: SessionEvent = { type: 'prompt.accepted', promptId, content }
      this.#restarts = 0
      if (this.#live) {
        await this.#writer.append([accepted])
        await this.#live.deliver()
        return { promptId, queued, process: 'warm' }
      }
      const beginning = await this.#start([accepted])
      return { promptId, queued, process: beginning.kind }
    })
  }

  /** Ends the turn, keeps the process, and takes back what waits in line. */
  async interrupt(): Promise<void> {
    const live = this.#live
    if (!live) return
    for (const promptId of this.state.open.prompts.keys()) {
      const answer = await this.request({ subtype: 'cancel_async_message', message_uuid: promptId })
      if (isCancelled(answer)) await this.#writer.append([{ type: 'prompt.withdrawn', promptId }])
    }
    await this.request({ subtype: 'interrupt' })
  }

  /** At once in a living process; else from the next one on. */
  async setMode(mode: string): Promise<void> {
    if (this.#live) await this.request({ subtype: 'set_permission_mode', mode })
    else await this.#writer.append([{ type: 'mode.changed', mode }])
  }

  async setModel(model: string): Promise<void> {
    if (this.#live) await this.request({ subtype: 'set_model', model })
    await this.#writer.append([{ type: 'model.chosen', model }])
  }

  /** Settles an approval, once; then the child hears of it. */
  async settle(settled: Omit<EventOf<'approval.settled'>, 'type'>): Promise<void> {
    await this.#writer.append([{ type: 'approval.settled', ...settled }], { durable: true })
    await this.#live?.deliver()
  }

  /** A question of the child by a call: opens an approval and waits for what becomes of it. */
  async ask(asked: Asked, gone: AbortSignal): Promise<Decision> {
    return this.#askers.ask(asked, { gone, closing: this.#letGo.signal })
  }

  /** Takes over the process that an earlier hub started. */
  async adopt(run: Run): Promise<void> {
    this.#take(
      new LiveRun(
        await adoptChild(run.folder, this.session.id),
        this.#writer,
        await contextOf(this.session, this.#around, this.#granted),
      ),
      { adopted: true },
    )
    await this.#live?.deliver()
  }

  /** Ends the process and leaves nothing of it behind. The session can go on later. */
  stop(): Promise<void> {
    return this.#alone(async () => {
      if (!this.#live) return
      this.#stopping = true
      await this.#live.child.stop()
      await this.#followed
    })
  }

  /** The hub goes, the process stays. */
  async letGo(): Promise<void> {
    this.#letGo.abort()
    this.#live?.child.close()
    await this.#followed
  }

  async #start(events: readonly SessionEvent[]): Promise<Beginning> {
    const admitted = await this.#admit()
    try {
      return await this.#startAdmitted(events)
    } finally {
      admitted()
    }
  }

  async #startAdmitted(events: readonly SessionEvent[]): Promise<Beginning> {
    const around = this.#around
    const beginning = await beginningOf(this.session, around)
    const id = randomUUID()
    const folder = join(around.home, 'runs', id)
    const run: Run = { id, sessionId: this.session.id, folder, offset: 0, startedAt: Date.now() }
    const context = await contextOf(this.session, around, this.#granted)
    const permit = await this.#permit.open()
    const spec = await specOf({ session: this.session, state: this.state, run, permit }, beginning, around)
    await this.#writer.append([{ type: 'run.started', runId: id }, ...events], { run })
    try {
      this.#take(new LiveRun(await startChild(spec), this.#writer, context), { adopted: false })
    } catch (error) {
      await this.#permit.end(run)
      const message =
        error instanceof AppError ? error.message : `Claude Code could not be started: ${String(error)}.`
      await this.#writer.append([{ type: 'run.ended', runId: id, error: { code: 'cli_failed', message } }])
      throw error
    }
    await this.#live?.deliver()
    return beginning
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
      this.#failure = error instanceof Error ? error.message : String(error)
      await live.child.stop()
      return
    }
    live.holdsPrompts = false
    await live.deliver()
  }

  async #follow(live: LiveRun): Promise<void> {
    const end = await live.follow(this.#letGo.signal)
    if (!end) return
    const { lived } = live
    const ending: RunEnding = {
      end,
      stderr: await readStderrTail(live.child.run),
      stopped: this.#stopping,
      lived,
      failure: this.#failure,
    }
    live.child.close()
    const { signal } = this.#letGo
    const { run } = this.#writer
    if (run) await this.#permit.end(run).catch(this.#around.onError)
    await whenThereIsSpace(() => this.#writer.decide((state) => eventsOfEnd(state, ending)), signal)
    this.#live = undefined
    const owed = this.state.open.prompts.size > 0
    if (owed && goesOn(ending) && this.#restarts++ < MAX_RESTARTS)
      this.#alone(() => this.#start([])).catch(this.#around.onError)
  }

  /** A question to the child that does not outlive us. */
  async request(request: ControlRequest): Promise<unknown> {
    if (!this.#live)
      throw new AppError('cli_failed', 'The session has no process now; say something to start one.')
    return this.#live.control.send(
      request,
      AbortSignal.any([AbortSignal.timeout(ANSWER_MS), this.#letGo.signal]),
    )
  }

  /** Starting, saying and stopping happen one after the other. */
  #alone<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#one.then(work)
    this.#one = result.catch(() => {})
    return result
  }
}

function isCancelled(answer: unknown): boolean {
  return typeof answer === 'object' && answer !== null && 'cancelled' in answer && answer.cancelled === true
}

const ANSWER_MS = 10_000
const MAX_RESTARTS = 2
