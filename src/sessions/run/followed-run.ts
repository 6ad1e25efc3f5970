import type { ControlRequest } from '../../child/lines/stdin-messages.ts'
import { readStderrTail } from '../../child/process/run-folder.ts'
import type { RunEnd } from '../../child/process/run-end.ts'
import { AppError } from '../../base/errors.ts'
import { systemLimitMessage } from '../../system/system-limit.ts'
import { eventsOfEnd, type RunEnding } from './run-end-events.ts'
import type { LiveRun } from './live-run.ts'
import type { PermitAccess } from './permit-access.ts'
import { isBusy } from '../record/session-state.ts'
import type { SessionWriter } from '../record/session-writer.ts'
import { retryUntilDone } from '../../base/retry.ts'

export interface Following {
  readonly writer: SessionWriter
  readonly permit: PermitAccess
  /** Aborts when the hub lets go. */
  readonly closing: AbortSignal
  /** How many processes in a row were started for the same prompts, after the first. */
  readonly restarts: () => number
  readonly onError: (error: unknown) => void
}

/** How it came into our hands. */
export interface Taken {
  /** An earlier hub started it. */
  readonly adopted: boolean
  /** It knows us by an address that is not ours. */
  readonly cutOff: boolean
}

/** A process in our hands: it is followed until its end is on record, or until the hub lets go. */
export class FollowedRun {
  readonly live: LiveRun
  /** How it ended, once that is on record; undefined when the hub let go before. */
  readonly over: Promise<RunEnding | undefined>
  readonly #with: Following
  #stopping = false
  #failure: string | undefined
  #cutShort = false

  constructor(live: LiveRun, following: Following, { adopted, cutOff }: Taken) {
    this.live = live
    this.#with = following
    // One that asks by calls would ask whoever has taken our address, so it hears of nothing and ends.
    const lost = cutOff && following.writer.session.config.carrier === 'mcp'
    live.holds = lost ? 'everything' : following.permit.used && !cutOff ? 'prompts' : 'nothing'
    this.over = this.#follow()
    live.stuck.then(() => this.#giveUp(STUCK)).catch(following.onError)
    if (following.writer.session.config.supervise !== 'asked')
      live.unguarded.addEventListener('abort', () => void this.#giveUp(UNGUARDED).catch(following.onError))
    if (lost) this.#giveUp(LOST).catch(following.onError)
    else if (live.holds === 'prompts') this.#connect(adopted).catch(following.onError)
  }

  /** Ends it and leaves nothing of it behind. */
  async stop(): Promise<void> {
    this.#stopping = true
    await this.live.child.stop()
    await this.over
  }

  /** The hub goes, the process stays. */
  async letGo(): Promise<void> {
    this.live.child.close()
    await this.over
  }

  /** A question to the child that does not outlive us. */
  async request(request: ControlRequest): Promise<unknown> {
    const { live } = this
    const late = AbortSignal.timeout(ANSWER_MS)
    try {
      return await live.control.send(request, AbortSignal.any([late, live.over, this.#with.closing]))
    } catch (cause) {
      if (cause instanceof AppError) throw cause
      const what = late.aborted ? `did not answer within ${ANSWER_MS / 1_000} s` : 'ended before it answered'
      throw new AppError('cli_failed', `Claude Code ${what}; look at the session and try again.`, { cause })
    }
  }

  /** The child hears of its first prompt when it can ask; one that never can is ended. */
  async #connect(adopted: boolean): Promise<void> {
    const { permit, writer, closing, onError } = this.#with
    const signal = AbortSignal.any([this.live.over, closing])
    try {
      await permit.connect(this.live, adopted, signal)
    } catch (error) {
      if (signal.aborted) return
      // One that asks by control is supervised all the same: after a restart it goes on, without sessions below it.
      const goesOn = adopted && writer.session.config.carrier === 'control' && !isForbidden(error)
      if (!goesOn) return void (await this.#giveUp(reasonOf(error)))
      onError(error)
    }
    this.live.holds = 'nothing'
    await this.live.deliver()
  }

  async #follow(): Promise<RunEnding | undefined> {
    const { writer, permit, closing, onError } = this.#with
    const end = await this.#untilEnd()
    if (!end) return undefined
    const { live } = this
    const ending: RunEnding = {
      end,
      stderr: await readStderrTail(live.child.run).catch(() => ''),
      stopped: this.#stopping,
      lived: live.lived,
      restarts: this.#with.restarts(),
      failure: this.#failure,
      cutShort: this.#cutShort,
    }
    live.child.close()
    if (writer.run) await permit.end(writer.run).catch(onError)
    await retryUntilDone(() => writer.decide((state) => eventsOfEnd(state, ending)), closing)
    return closing.aborted ? undefined : ending
  }

  /** What it says and nobody can take in may be a question, so it must not go on. */
  async #untilEnd(): Promise<RunEnd | undefined> {
    const { closing, onError } = this.#with
    try {
      return await this.live.follow(closing)
    } catch (error) {
      if (closing.aborted) return undefined
      onError(error)
      return this.#giveUp(`What Claude Code said could not be kept, so it was ended: ${reasonOf(error)}`)
    }
  }

  async #giveUp(why: string): Promise<RunEnd | undefined> {
    this.#failure = why
    this.#cutShort = isBusy(this.#with.writer.state)
    return retryUntilDone(() => this.live.child.stop(), this.#with.closing)
  }
}

function reasonOf(error: unknown): string {
  return systemLimitMessage(error) ?? (error instanceof Error ? error.message : String(error))
}

function isForbidden(error: unknown): boolean {
  return error instanceof AppError && error.code === 'forbidden'
}

const STUCK =
  'Something that Claude Code said was lost, and an interrupt did not end its turn, so it was ended. Check the free space of the disk and say it again.'
const UNGUARDED =
  'A tool ran that Plexus was not asked about, and this session is to be asked about everything, so Claude Code was ended. Look for a setting or a hook of your own that switches our hook off or answers in its place.'
const LOST =
  'The hub is at another address than before, where Claude Code cannot ask it, so it was ended. Say something to go on.'
const ANSWER_MS = 10_000
