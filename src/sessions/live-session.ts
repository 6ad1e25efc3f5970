import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { CallerStore } from '../callers/caller.ts'
import type { ToolCall } from '../child/hook-opinion.ts'
import type { ControlRequest } from '../child/control.ts'
import { readStderrTail } from '../child/run-folder.ts'
import { adoptChild, startChild } from '../child/start-child.ts'
import { AppError } from '../errors.ts'
import type { Decision, ErrorInfo, EventOf, SessionEvent } from '../events/session-event.ts'
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
  #underWay = 0
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
    return busy || this.#underWay > 0 ? undefined : this.#writer.quietMs
  }

  /** How much the process has said. */
  get outputBytes(): number {
    return this.#writer.run?.offset ?? 0
  }

  say(content: Content): Promise<Said> {
    return this.#alone(async () => {
      if (this.#letGo.signal.aborted)
        throw new AppError('busy', 'Plexus is about to end; say it again when it is back.')
      await requireFreeSpace(this.#around.home)
      const promptId = randomUUID()
      const queued = this.state.inTurn
      const accepted: SessionEvent = { type: 'prompt.accepted', promptId, content }
      this.#restarts = 0
      const live = this.#live
      if (!live) return { promptId, queued, process: (await this.#start([accepted])).kind }
      await this.#writer.append([accepted])
      if (this.state.runId !== undefined) {
        await live.deliver()
        return { promptId, queued, process: 'warm' }
      }
      // Its end came on record before the prompt did.
      await this.#followed
      return { promptId, queued: false, process: (await this.#startForOwed()).kind }
    })
  }

  /** Ends the turn, keeps the process, and takes back what waits in line. */
  async interrupt(): Promise<void> {
    await this.#one // a process that is being started is there after it
    if (!this.#live) return
    // All are put at once and in this order; a message that cannot be taken back must not keep the turn going.
    const taken = [...this.state.open.prompts.keys()].map((promptId) => this.#takeBack(promptId))
    const allTaken = Promise.allSettled(taken)
    await this.request({ subtype: 'interrupt' })
    await allTaken
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
  async ask(
    asked: Asked,
    { gone, ended }: { gone: AbortSignal; ended?: AbortSignal | undefined },
  ): Promise<Decision> {
    return this.#askers.ask(asked, { gone, ended, closing: this.#letGo.signal })
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

  /** Starts a process for prompts that an earlier hub accepted and had none for when it ended. */
  goOn(): Promise<void> {
    return this.#alone(async () => {
      if (this.#live || this.state.open.prompts.size === 0 || this.#letGo.signal.aborted) return
      await this.#startForOwed()
    })
  }

  /** Ends a process that has been idle for so long, and tells whether it did. */
  async stopIfIdle(ms: number): Promise<boolean> {
    const { idleMs } = this
    if (!this.hasProcess || idleMs === undefined || idleMs < ms) return false
    await this.stop() // in this same moment, so nothing is under way before it
    return true
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
    await this.#one
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
      const told = errorOf(error)
      await this.#writer.decide((state) => [
        { type: 'run.ended', runId: id, error: told },
        ...withdrawn(state),
      ])
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
    if (this.state.open.prompts.size === 0 || !goesOn(ending)) return
    this.#restarts += 1
    this.goOn().catch(this.#around.onError)
  }

  /** If there can be no process for the prompts on record, then that is how their turn ends. */
  async #startForOwed(): Promise<Beginning> {
    try {
      return await this.#start([])
    } catch (error) {
      const failed: SessionEvent = { type: 'turn.ended', outcome: 'failed', error: errorOf(error) }
      await this.#writer.decide((state) =>
        state.open.prompts.size === 0 ? [] : [failed, ...withdrawn(state)],
      )
      throw error
    }
  }

  async #takeBack(promptId: string): Promise<void> {
    // What the child has not heard of yet needs no word of it.
    const unheard = this.#live?.holdsPrompts === true
    const answer =
      unheard || (await this.request({ subtype: 'cancel_async_message', message_uuid: promptId }))
    if (answer === true || isCancelled(answer))
      await this.#writer.append([{ type: 'prompt.withdrawn', promptId }])
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

  /** Starting, saying and stopping happen one after the other. */
  #alone<T>(work: () => Promise<T>): Promise<T> {
    this.#underWay += 1
    const result = this.#one.then(work).finally(() => {
      this.#underWay -= 1
    })
    this.#one = result.catch(() => {})
    return result
  }
}

function isCancelled(answer: unknown): boolean {
  return typeof answer === 'object' && answer !== null && 'cancelled' in answer && answer.cancelled === true
}

function withdrawn({ open }: SessionState): SessionEvent[] {
  return [...open.prompts.keys()].map((promptId) => ({ type: 'prompt.withdrawn', promptId }))
}

function errorOf(error: unknown): ErrorInfo {
  if (error instanceof AppError) return { code: error.code, message: error.message }
  return { code: 'cli_failed', message: `Claude Code could not be started: ${String(error)}.` }
}

const ANSWER_MS = 10_000
