import { parseLine } from '../child/child-line.ts'
import type { Batch, Child } from '../child/child-process.ts'
import { ControlRequests } from '../child/control-requests.ts'
import { eventsOf } from '../child/line-to-events.ts'
import { Deliveries } from '../child/owed.ts'
import type { LineContext } from '../child/request-to-event.ts'
import type { RunEnd } from '../child/run-end.ts'
import { AppError } from '../errors.ts'
import type { SessionEvent } from '../events/session-event.ts'
import { coalesced } from './coalesce.ts'
import { Held } from './held-text.ts'
import type { SessionWriter } from './session-writer.ts'

/**
 * One process of a session, from its output to the log: parse, store events and offset in one step, then do what
 * follows from the record. After a restart the same begins again at the stored offset.
 */
export class LiveRun {
  readonly child: Child
  readonly control: ControlRequests
  readonly #writer: SessionWriter
  readonly #context: LineContext
  readonly #deliveries: Deliveries
  readonly #held = new Held()

  constructor(child: Child, writer: SessionWriter, context: LineContext) {
    this.child = child
    this.#writer = writer
    this.#context = context
    this.control = new ControlRequests((message) => child.put(message))
    this.#deliveries = new Deliveries((message) => child.put(message))
  }

  /** Puts what the child is owed by what is on record and was not put by us before. */
  deliver(): Promise<void> {
    return this.#deliveries.deliver(this.#writer.state.open)
  }

  /** Reads until the process is gone and all is stored, or until the child is let go (then undefined). */
  async follow(signal: AbortSignal): Promise<RunEnd | undefined> {
    const batches = this.child.read(this.#writer.run?.offset ?? 0)
    let next = batches.next()
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
  }

  async #take(batch: Batch, signal: AbortSignal): Promise<void> {
    for (const split of batch.lines) {
      const line = parseLine(split)
      this.control.take(line)
      this.#held.add(eventsOf(line, this.#context), split.end)
    }
    this.#held.reach(batch.offset)
    await this.#store(this.#held.takeAllButFreshText(), signal)
  }

  /** A full disk must not lose what the child has said: it is in its output, so we come back to it. */
  async #store(
    taken: { events: readonly SessionEvent[]; offset: number } | undefined,
    signal: AbortSignal,
  ): Promise<void> {
    if (!taken) return
    const events = coalesced(taken.events)
    for (;;) {
      const { run } = this.#writer
      if (!run || signal.aborted) return
      try {
        await this.#writer.append(events, { run: { ...run, offset: taken.offset } })
        return await this.deliver()
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== 'storage_full') throw error
        await patience(signal)
      }
    }
  }
}

function patience(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, RETRY_MS)
    signal.addEventListener('abort', done, { once: true })
  })
}

const RETRY_MS = 1_000
