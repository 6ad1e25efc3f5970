import { isStorageUnavailable, retryUntilDone, retryUntilStorageIsFree } from '../../async/retry.ts'
import type { ControlRequest } from '../../child/lines/stdin-messages.ts'
import type { Child } from '../../child/process/child-process.ts'
import { ControlRequests } from '../../child/process/control-requests.ts'
import type { RunEnd } from '../../child/process/run-end.ts'
import { readStderrTail } from '../../child/process/run-folder.ts'
import { Deliveries } from '../../child/state/owed-messages.ts'
import { initialRunState, type RunState } from '../../child/state/run-state.ts'
import type { PermitAccess } from '../launch/permit-access.ts'
import { coalesced } from '../writing/coalesce-text.ts'
import { EventBuffer } from '../writing/event-buffer.ts'
import type { SessionEvent } from '../../events/session-event.ts'
import { isBusy } from '../record/session-state.ts'
import type { SessionWriter } from '../writing/session-writer.ts'
import { answerEarly } from './answer-early.ts'
import { LostOutputWatch } from './full-disk-watch.ts'
import type { OutdatedRun } from './outdated-run.ts'
import { type OutputStep, outputSteps } from './output-steps.ts'
import type { RunContext } from './run-context.ts'
import {
  eventsOfEnd,
  LOST_ADDRESS,
  NOT_STORED,
  reasonOf,
  type RunEnding,
  UNGUARDED,
} from './run-end-events.ts'

export interface RunParts {
  readonly child: Child
  readonly writer: SessionWriter
  readonly context: RunContext
  readonly permit: PermitAccess
  /** Aborts when the hub detaches from its sessions. */
  readonly closing: AbortSignal
  /** How many processes in a row were started for the same prompts, after the first. */
  readonly restarts: () => number
  readonly onError: (error: unknown) => void
  /** Only for a process that an earlier hub started. */
  readonly adopted?: Adopted | undefined
}

export interface Adopted {
  /** It knows us by an address that is not ours. */
  readonly cutOff: boolean
  /** It was started with less protection than it would be today. */
  readonly outdated: OutdatedRun | undefined
}

/**
 * One process of a session, from its launch or adoption until its end is on record or the hub detaches. It reads the output,
 * stores events and offset in one step, and then delivers what the child is owed by the record. After a restart of the hub the
 * same begins again at the stored offset.
 */
export class SessionRun {
  readonly child: Child
  readonly context: RunContext
  readonly outdated: OutdatedRun | undefined
  /** How it ended, once that is on record; undefined when the hub detached before. */
  readonly ended: Promise<RunEnding | undefined>
  readonly #parts: RunParts
  readonly #control: ControlRequests
  readonly #deliveries: Deliveries
  readonly #buffer: EventBuffer
  /** Aborts when nothing more is read from the child, so that no answer of it can come. */
  readonly #over = new AbortController()
  /** What is not delivered to the child yet. */
  #held: 'nothing' | 'prompts' | 'everything' = 'nothing'
  #retrying: Promise<void> | undefined
  #storing = false
  /** It has begun a turn. */
  #lived: boolean
  #stopping = false
  #failure: string | undefined
  #cutShort = false

  constructor(parts: RunParts) {
    const { child, writer, context, permit, adopted, onError } = parts
    this.#parts = parts
    this.child = child
    this.context = context
    this.outdated = adopted?.outdated
    const offset = writer.run?.offset ?? 0
    this.#lived = offset > 0
    this.#buffer = new EventBuffer(offset)
    this.#control = new ControlRequests((message) => child.put(message))
    this.#deliveries = new Deliveries(async (message, approvalId) => {
      await child.put(message)
      if (approvalId !== undefined) await writer.noteSent(approvalId)
    })
    // A child that asks by calls would ask the program that has taken our address, so it is given nothing and ends.
    const isUnreachable = adopted?.cutOff === true && writer.session.config.carrier === 'mcp'
    const connects = permit.used && !adopted?.cutOff
    this.#held = isUnreachable ? 'everything' : connects ? 'prompts' : 'nothing'
    this.ended = this.#follow(offset)
    if (isUnreachable) this.giveUp(LOST_ADDRESS).catch(onError)
    else if (connects) this.#connect().catch(onError)
  }

  /** Prompts wait until the child can ask. */
  get holdsPrompts(): boolean {
    return this.#held !== 'nothing'
  }

  /** Whether the child was given everything that it may wait for. */
  get isUpToDate(): boolean {
    return this.#held === 'nothing' && !this.#deliveries.hasUndelivered(this.#owing())
  }

  /** The bytes of output that were read, and stored if they held events. */
  get bytesRead(): number {
    return this.#storing ? 0 : this.#buffer.reached
  }

  /**
   * Sends what the child is owed by the record and was not sent by this hub. On a full disk no caller has to wait: it is on
   * record, and is sent as soon as there is space.
   */
  async deliver(): Promise<void> {
    const { onError } = this.#parts
    const put = () => this.#deliveries.deliver(this.#owing())
    try {
      await put()
    } catch (error) {
      if (!isStorageUnavailable(error)) onError(error)
      this.#retrying ??= retryUntilDone(put, this.#over.signal)
        .catch(onError)
        .finally(() => {
          this.#retrying = undefined
        })
    }
  }

  /** A request to the child; its answer does not outlive the hub. */
  request(request: ControlRequest): Promise<unknown> {
    return this.#control.request(request, AbortSignal.any([this.#over.signal, this.#parts.closing]))
  }

  /** Ends the process and everything that it started. */
  async stop(): Promise<void> {
    this.#stopping = true
    await this.child.stop()
    await this.ended
  }

  /** The hub ends, the process keeps running. */
  async detach(): Promise<void> {
    this.child.close()
    await this.ended
  }

  /** Ends the process; its session fails with this reason. */
  async giveUp(reason: string): Promise<RunEnd | undefined> {
    this.#failure = reason
    this.#cutShort = isBusy(this.#parts.writer.state)
    return retryUntilDone(() => this.child.stop(), this.#parts.closing)
  }

  #owing(): RunState {
    const { open } = this.#parts.writer.state
    if (this.#held === 'everything') return initialRunState
    return this.#held === 'prompts' ? { ...open, prompts: new Map() } : open
  }

  /** The child is given its first prompt when it can ask; a child that never can is ended. */
  async #connect(): Promise<void> {
    const { permit, closing, adopted } = this.#parts
    const signal = AbortSignal.any([this.#over.signal, closing])
    try {
      await permit.connect(this.#control, { isAdopted: adopted !== undefined, signal })
    } catch (error) {
      if (!signal.aborted) await this.giveUp(reasonOf(error))
      return
    }
    this.#held = 'nothing'
    await this.deliver()
  }

  async #follow(offset: number): Promise<RunEnding | undefined> {
    const { child, writer, permit, closing, onError } = this.#parts
    const end = await this.#untilEnd(offset)
    if (!end) return undefined
    const ending: RunEnding = {
      end,
      stderr: await readStderrTail(child.run).catch(() => ''),
      stopped: this.#stopping,
      lived: this.#lived,
      restarts: this.#parts.restarts(),
      failure: this.#failure,
      cutShort: this.#cutShort,
    }
    child.close()
    if (writer.run) await permit.end(writer.run).catch(onError)
    await retryUntilDone(() => writer.decide((state) => eventsOfEnd(state, ending)), closing)
    return closing.aborted ? undefined : ending
  }

  /** Output that cannot be stored may be a question, so the child must not continue. */
  async #untilEnd(offset: number): Promise<RunEnd | undefined> {
    const { closing, onError } = this.#parts
    try {
      return await this.#read(offset)
    } catch (error) {
      if (closing.aborted) return undefined
      onError(error)
      return this.giveUp(`${NOT_STORED}: ${reasonOf(error)}`)
    }
  }

  /** Until the process is gone and all is stored, or until the hub detaches (then undefined). */
  async #read(offset: number): Promise<RunEnd | undefined> {
    const { child, context, writer, closing, onError } = this.#parts
    const reader = {
      child,
      context,
      buffer: this.#buffer,
      control: this.#control,
      answerEarly: async (events: readonly SessionEvent[]) =>
        this.#held !== 'everything' && answerEarly(this.#deliveries, this.#owing(), events, context),
    }
    const lost = new LostOutputWatch(this, writer, { over: this.#over.signal, onError })
    try {
      for await (const step of outputSteps(reader, offset)) await this.#store(step, lost)
      return closing.aborted ? undefined : child.ended
    } finally {
      this.#over.abort()
      await this.#retrying
    }
  }

  /** The output stays in its file, so a full disk loses nothing here: the step is retried. */
  async #store(step: OutputStep, lost: LostOutputWatch): Promise<void> {
    const { writer, closing, onError } = this.#parts
    const { run, session } = writer
    if (!run) return
    this.#lived ||= step.events.some(({ type }) => type === 'turn.started')
    const events = coalesced(step.events)
    this.#storing = true
    await retryUntilStorageIsFree(
      () => writer.append(events, { run: { ...run, offset: step.offset } }),
      closing,
    )
    this.#storing = false
    if (closing.aborted) return
    // A tool ran past us: our hook never saw it, or another program answered for it.
    const isUnguarded = writer.state.open.unguarded > 0 && session.config.supervise !== 'asked'
    if (isUnguarded && this.#failure === undefined) this.giveUp(UNGUARDED).catch(onError)
    await this.deliver()
    lost.stored(events)
    writer.followedUp(events)
  }
}
