import { parseLine } from '../../child/lines/child-line.ts'
import type { Batch, Child } from '../../child/process/child-process.ts'
import { ControlRequests } from '../../child/process/control-requests.ts'
import { eventsOf } from '../../child/lines/line-to-events.ts'
import { Deliveries } from '../../child/state/owed-messages.ts'
import type { RunEnd } from '../../child/process/run-end.ts'
import { initialRunState, type RunState } from '../../child/state/run-state.ts'
import type { SessionEvent } from '../../events/session-event.ts'
import { coalesced } from '../record/coalesce-text.ts'
import { Held } from '../record/event-buffer.ts'
import { LostOutput } from './lost-output.ts'
import type { RunContext } from './launch-spec.ts'
import type { SessionWriter } from '../record/session-writer.ts'
import { isStorageUnavailable, retryUntilDone, retryUntilStorageIsFree } from '../../base/retry.ts'

interface Parts {
  readonly child: Child
  readonly writer: SessionWriter
  readonly context: RunContext
  readonly onError: (error: unknown) => void
}

/**
 * One process of a session, from its output to the log: parse, store events and offset in one step, then do what
 * follows from the record. After a restart the same begins again at the stored offset.
 */
export class LiveRun {
  readonly child: Child
  readonly control: ControlRequests
  readonly context: RunContext
  readonly #writer: SessionWriter
  readonly #onError: Parts['onError']
  readonly #deliveries: Deliveries
  readonly #held: Held
  readonly #over = new AbortController()
  readonly #unguarded = new AbortController()
  readonly #lost: LostOutput
  #storing = false
  #retrying: Promise<void> | undefined
  /** It has begun a turn. */
  lived: boolean
  /** What the child does not hear of yet. */
  holds: 'nothing' | 'prompts' | 'everything' = 'nothing'

  constructor({ child, writer, context, onError }: Parts) {
    this.child = child
    this.#writer = writer
    const offset = writer.run?.offset ?? 0
    this.lived = offset > 0
    this.#held = new Held(offset)
    this.context = context
    this.#onError = onError
    this.control = new ControlRequests((message) => child.put(message))
    this.#deliveries = new Deliveries(async (message, approvalId) => {
      await child.put(message)
      if (approvalId !== undefined) await writer.noteSent(approvalId)
    })
    this.#lost = new LostOutput({
      run: child.run,
      writer,
      isTold: () => this.holds === 'nothing' && !this.#deliveries.isBehind(this.#owing()),
      read: () => (this.#storing ? 0 : this.#held.reached),
      deliver: () => this.deliver(),
      over: this.over,
      onError,
    })
  }

  /** Resolves when something of its output was lost and it did not come to rest by an interrupt. */
  get stuck(): Promise<void> {
    return this.#lost.stuck
  }

  /** Aborts when a tool ran past us: our hook never saw it, or somebody else answered for it. */
  get unguarded(): AbortSignal {
    return this.#unguarded.signal
  }

  /** Aborts when nothing more is read from the child: no answer of its will come. */
  get over(): AbortSignal {
    return this.#over.signal
  }

  /**
   * Puts what the child is owed by what is on record and was not put by us before. On a full disk it is on record
   * all the same, so nobody has to wait: it is put as soon as there is space.
   */
  async deliver(): Promise<void> {
    const put = () => this.#deliveries.deliver(this.#owing())
    try {
      await put()
    } catch (error) {
      if (!isStorageUnavailable(error)) this.#onError(error)
      this.#retrying ??= retryUntilDone(put, this.over)
        .catch(this.#onError)
        .finally(() => {
          this.#retrying = undefined
        })
    }
  }

  #owing(): RunState {
    const { open } = this.#writer.state
    if (this.holds === 'everything') return initialRunState
    return this.holds === 'prompts' ? { ...open, prompts: new Map() } : open
  }

  /** Reads until the process is gone and all is stored, or until the child is let go (then undefined). */
  async follow(signal: AbortSignal): Promise<RunEnd | undefined> {
    this.#lost.watch()
    try {
      return await this.#follow(signal)
    } finally {
      this.#lost.end()
      this.#over.abort()
      await this.#retrying
    }
  }

  async #follow(signal: AbortSignal): Promise<RunEnd | undefined> {
    const batches = this.child.read(this.#writer.run?.offset ?? 0)
    let next = batches.next()
    try {
      for (;;) {
        const read = await this.#held.orLate(next)
        if (read === 'late') {
          await this.#store(this.#held.take(), signal)
        } else if (read.done) {
          await this.#store(this.#held.take(), signal)
          return signal.aborted ? undefined : this.child.ended
        } else {
          await this.#take(read.value, signal)
          next = batches.next()
        }
      }
    } finally {
      next.catch(() => {}) // nobody reads it any more, and its file is closed behind it
      void batches.return()
    }
  }

  async #take(batch: Batch, signal: AbortSignal): Promise<void> {
    for (const split of batch.lines) {
      const line = parseLine(split)
      this.control.take(line)
      this.#held.add(eventsOf(line, this.context), split.end)
    }
    this.#held.reach(batch.offset)
    await this.#store(this.#held.takeAllButPatient(), signal)
  }

  /** What is in its output stays there, so a full disk costs us nothing of it: we come back to it. */
  async #store(
    taken: { events: readonly SessionEvent[]; offset: number } | undefined,
    signal: AbortSignal,
  ): Promise<void> {
    const { run } = this.#writer
    if (!taken || !run) return
    this.lived ||= taken.events.some(({ type }) => type === 'turn.started')
    const events = coalesced(taken.events)
    const options = { run: { ...run, offset: taken.offset } }
    this.#storing = true
    await retryUntilStorageIsFree(() => this.#writer.append(events, options), signal)
    this.#storing = false
    if (signal.aborted) return
    if (this.#writer.state.open.unguarded > 0) this.#unguarded.abort()
    await this.deliver()
    this.#lost.take(events)
    this.#writer.followedUp(events)
  }
}
