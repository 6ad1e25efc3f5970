import { randomUUID } from 'node:crypto'
import type { Grant } from '../../approvals/grant.ts'
import { narrowedRule } from '../../approvals/grant-rule.ts'
import type { ControlRequest } from '../../child/lines/stdin-messages.ts'
import type { ToolCall } from '../../child/policy/hook-opinion.ts'
import { AppError } from '../../base/errors.ts'
import type { Command, Decision, EventOf, SessionEvent } from '../../events/session-event.ts'
import { type Asked, Askers } from './permit-calls.ts'
import { requireFreeSpace } from '../../system/free-space.ts'
import { endOnceIdle, nameOutdated } from './outdated-run.ts'
import type { Beginning, Permit, Surroundings } from './launch-spec.ts'
import { Remembered } from './session-grants.ts'
import type { Session } from '../record/session.ts'
import { SessionProcess, type Ways } from './session-process.ts'
import { isBusy, type SessionState } from '../record/session-state.ts'
import type { SessionWriter } from '../record/session-writer.ts'

export type Content = EventOf<'prompt.accepted'>['content']

/** What can be said: a prompt, or a command of the CLI. */
export type Utterance = Content | { readonly command: Command }

export interface Said {
  readonly promptId: string
  /** A turn goes on: the message is folded into it or waits for the next. */
  readonly queued: boolean
  /** Into a living process, or how the new one begins. */
  readonly process: 'warm' | Beginning['kind']
}

/** A session: what can be done with it, one thing after the other. It has one writer and, while it needs one, a process. */
export class LiveSession {
  readonly #writer: SessionWriter
  readonly #around: Surroundings
  readonly #process: SessionProcess
  readonly #askers: Askers
  /** Such calls need no new answer. */
  readonly remembered = new Remembered(() => this.state)
  #one: Promise<unknown> = Promise.resolve()
  #launching: Promise<void> = Promise.resolve()
  #underWay = 0
  #ending = false

  constructor(writer: SessionWriter, around: Surroundings, ways: Omit<Ways, 'remembered'>) {
    this.#writer = writer
    this.#around = around
    const { remembered } = this
    this.#process = new SessionProcess(writer, around, { ...ways, remembered }, () => this.goOn())
    this.#askers = new Askers(writer, (call) => this.#process.context.granted(call), around.onError)
  }

  get session(): Session {
    return this.#writer.session
  }

  get state(): SessionState {
    return this.#writer.state
  }

  get hasProcess(): boolean {
    return this.#process.live !== undefined
  }

  /** Its process was started with less protection than it would be today. */
  get isOutdated(): boolean {
    return this.#process.outdated !== undefined
  }

  /** For how long nothing has gone on that the end of the process would hurt; undefined while something does. */
  get idleMs(): number | undefined {
    return this.#isAtRest && this.#underWay === 0 ? this.#writer.quietMs : undefined
  }

  /** How much the process has said. */
  get outputBytes(): number {
    return this.#writer.run?.offset ?? 0
  }

  async say(said: Utterance): Promise<Said> {
    // Not in line: on a full disk the end of the process before may wait there to be stored.
    requireFreeSpace(this.#around.home)
    return this.#alone(() => this.#say(onRecord(said)))
  }

  /** Says it because of what happened below, unless it knows of that, or is at work and will look itself. */
  async wakeFor(news: string, content: string): Promise<void> {
    requireFreeSpace(this.#around.home)
    await this.#alone(async () => {
      if (isBusy(this.state) || this.state.stopped || this.state.knows.includes(news)) return
      await this.#say({ content, wakesFor: news })
    })
  }

  /** It has looked at what happened below. */
  async noteSeen(news: string): Promise<void> {
    await this.#writer.decide(({ knows }) => (knows.includes(news) ? [] : [{ type: 'below.seen', news }]))
  }

  async #say(said: Omit<EventOf<'prompt.accepted'>, 'type' | 'promptId'>): Promise<Said> {
    if (this.#isOver) throw aboutToEnd()
    if (this.isOutdated && this.#isAtRest) await this.#process.stop()
    const promptId = randomUUID()
    const queued = this.state.inTurn
    const accepted: SessionEvent = { type: 'prompt.accepted', promptId, ...said }
    this.#process.forgive()
    const live = this.#process.live
    if (!live) {
      const { kind, launched } = await this.#process.start([accepted])
      // Whoever said it need not wait for the process: it is on record, and so is what becomes of it.
      this.#launching = launched.catch(() => {})
      return { promptId, queued, process: kind }
    }
    await this.#writer.append([accepted])
    if (this.state.runId !== undefined) {
      await live.deliver()
      return { promptId, queued, process: 'warm' }
    }
    // Its end came on record before the prompt did.
    await this.#process.followed
    return { promptId, queued: false, process: await this.#process.startForOwed() }
  }

  /** Ends the turn, keeps the process, and takes back what waits in line. */
  async interrupt(): Promise<void> {
    await this.#one // a process that is being started is there after it
    if (!this.#process.live) return
    // All are put at once and in this order; a message that cannot be taken back must not keep the turn going.
    const taken = [...this.state.open.prompts.keys()].map((promptId) => this.#takeBack(promptId))
    const allTaken = Promise.allSettled(taken)
    await this.request({ subtype: 'interrupt' })
    await allTaken
  }

  /** At once in a living process; else from the next one on. */
  async setMode(mode: string): Promise<void> {
    await this.#one
    if (this.#process.live) await this.request({ subtype: 'set_permission_mode', mode })
    else await this.#writer.append([{ type: 'mode.changed', mode }])
  }

  async setModel(model: string): Promise<void> {
    await this.#one
    if (this.#process.live) await this.request({ subtype: 'set_model', model })
    await this.#writer.append([{ type: 'model.chosen', model }])
  }

  /** Settles an approval, once; then the child hears of it. */
  async settle(settled: Omit<EventOf<'approval.settled'>, 'type'>): Promise<void> {
    await this.#writer.append([{ type: 'approval.settled', ...settled }])
    const { remembered, by = '' } = settled
    if (remembered) this.remembered.grants = [...this.remembered.grants, { ...remembered, by }]
    await this.#process.live?.deliver()
  }

  /** What was remembered, as it is on record; what an older version remembered holds for the very call only. */
  async recall(grants: readonly Grant[]): Promise<void> {
    const narrowed = grants.map((grant) => ({
      grant,
      left: narrowedRule(grant.rule, this.session.workingDirectory),
    }))
    const events = narrowed.flatMap(({ grant, left }): SessionEvent[] =>
      left ? [{ type: 'grant.narrowed', grantId: grant.id, rules: [...left.dropped], rule: left.rule }] : [],
    )
    if (events.length > 0) await this.#writer.append(events)
    this.remembered.grants = narrowed.map(({ grant, left }) => (left ? { ...grant, rule: left.rule } : grant))
  }

  /** Whether such calls may be allowed once and for all. */
  mayRemember(call: ToolCall): boolean {
    return this.#process.context.grantable(call)
  }

  /** Whether what is said with a yes can reach the model. */
  get takesNotes(): boolean {
    return this.#writer.state.takesNotes
  }

  /** Hands a question that waits for an answer to another level. */
  async escalate(escalated: Omit<EventOf<'approval.escalated'>, 'type'>): Promise<void> {
    await this.#writer.append([{ type: 'approval.escalated', ...escalated }])
  }

  /** A question of the child by a call: opens an approval and waits for what becomes of it. */
  async ask(
    asked: Asked,
    { gone, ended }: { gone: AbortSignal; ended?: AbortSignal | undefined },
  ): Promise<Decision> {
    return this.#askers.ask(asked, { gone, ended, closing: this.#process.closing })
  }

  /** With this a process that is not ours may ask as this session. */
  permitOutside(): Promise<Permit> {
    return this.#alone(() => this.#process.permitOutside())
  }

  /** Takes over the process that an earlier hub started, if it left one. To be called before anything else. */
  async adopt(): Promise<void> {
    if (this.state.runId === undefined) return
    await this.#process.adopt()
    const { outdated, closing } = this.#process
    if (!outdated) return
    nameOutdated(this.#writer, outdated, closing)
      .then(() => endOnceIdle(this, this.#writer, closing))
      .catch(this.#around.onError)
  }

  /** Starts a process for prompts that an earlier hub accepted and had none for when it ended. */
  goOn(): Promise<void> {
    return this.#alone(async () => {
      if (this.#process.live || this.state.open.prompts.size === 0 || this.#isOver) return
      await this.#process.startForOwed()
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
    return this.#alone(() => this.#process.stop())
  }

  /** The same by somebody who wants it: what happens below does not wake it until something is said to it. */
  async stopAndStay(): Promise<void> {
    await this.stop()
    if (this.session.config.nested)
      await this.#writer.decide(({ stopped }) => (stopped ? [] : [{ type: 'session.stopped' }]))
  }

  /** The hub goes, and the process with it; nothing is started in its place. */
  async end(): Promise<void> {
    this.#ending = true
    await this.stop()
  }

  /** The hub goes, the process stays. */
  async letGo(): Promise<void> {
    this.#process.beginToLetGo()
    await this.#one
    await this.#process.letGo()
  }

  /** A question to the child that does not outlive us. */
  request(request: ControlRequest): Promise<unknown> {
    return this.#process.request(request)
  }

  /** No turn, no question, no prompt, and nothing in the background. */
  get #isAtRest(): boolean {
    return !isBusy(this.state) && this.state.shells.length === 0
  }

  get #isOver(): boolean {
    return this.#ending || this.#process.closing.aborted
  }

  async #takeBack(promptId: string): Promise<void> {
    // What the child has not heard of yet needs no word of it.
    const unheard = this.#process.live !== undefined && this.#process.live.holds !== 'nothing'
    const answer =
      unheard || (await this.request({ subtype: 'cancel_async_message', message_uuid: promptId }))
    if (answer === true || isCancelled(answer))
      await this.#writer.append([{ type: 'prompt.withdrawn', promptId }])
  }

  /** Starting, saying and stopping happen one after the other. */
  #alone<T>(work: () => Promise<T>): Promise<T> {
    this.#underWay += 1
    const result = this.#one.then(work).finally(() => {
      this.#underWay -= 1
    })
    this.#one = result.catch(() => {}).then(() => this.#launching)
    return result
  }
}

function onRecord(said: Utterance): Pick<EventOf<'prompt.accepted'>, 'content' | 'command'> {
  if (typeof said === 'string' || !('command' in said)) return { content: said }
  return { content: `/${said.command}`, command: said.command }
}

export function aboutToEnd(): AppError {
  return new AppError('busy', 'Plexus is about to end; try again when it is back.')
}

function isCancelled(answer: unknown): boolean {
  return typeof answer === 'object' && answer !== null && 'cancelled' in answer && answer.cancelled === true
}
