import { statSync } from 'node:fs'
import { AppError } from '../../base/errors.ts'
import { retryUntilStorageIsFree } from '../../async/retry.ts'
import type { Child } from '../../child/process/child-process.ts'
import type { SessionEvent } from '../../events/session-event.ts'
import { isDiskFull } from '../../system/free-space.ts'
import { isBusy, type SessionState, statusOf } from '../record/session-state.ts'
import type { SessionWriter } from '../writing/session-writer.ts'
import { afterEvents, afterCheck, NO_LOSS } from './full-disk.ts'
import type { SessionRun } from './session-run.ts'

type WatchedRun = Pick<SessionRun, 'isUpToDate' | 'bytesRead' | 'deliver' | 'giveUp'> & {
  readonly child: Pick<Child, 'run'>
}

/** Makes sure that no caller waits for output that the child lost on a full disk. */
export class LostOutputWatch {
  readonly #run: WatchedRun
  readonly #writer: SessionWriter
  readonly #over: AbortSignal
  readonly #onError: (error: unknown) => void
  #loss = NO_LOSS

  /** Checks every second, until nothing more is read. */
  constructor(
    run: WatchedRun,
    writer: SessionWriter,
    { over, onError }: { over: AbortSignal; onError: (error: unknown) => void },
  ) {
    this.#run = run
    this.#writer = writer
    this.#over = over
    this.#onError = onError
    const timer = setInterval(() => this.#check(), CHECK_MS)
    over.addEventListener('abort', () => clearInterval(timer))
    // An earlier hub left a loss: this hub interrupts the child again, and the time limit begins then.
    if (writer.state.open.damage > 0) run.deliver().then(() => this.stored([LOST]), onError)
  }

  /** Call it with the events that were stored. */
  stored(events: readonly SessionEvent[]): void {
    this.#loss = afterEvents(this.#loss, events, this.#writer.state)
  }

  #check(): void {
    const { state } = this.#writer
    const { child, isUpToDate: upToDate, bytesRead: read } = this.#run
    if (!isBusy(state)) {
      this.#loss = NO_LOSS
      return
    }
    const { state: loss, verdict } = afterCheck(this.#loss, {
      now: performance.now(),
      atWork: upToDate && statusOf(state) === 'running',
      upToDate,
      diskFull: isDiskFull(child.run.path),
      written: sizeOf(child.run.stdout),
      read,
    })
    this.#loss = loss
    if (verdict === 'disk full') this.#onError(new AppError('storage_full', FULL))
    if (verdict === 'lost') this.#noteLoss().catch(this.#onError)
    if (verdict === 'stuck') this.#run.giveUp(STUCK).catch(this.#onError)
  }

  /** A loss is stored like a line that could not be read, and has the same consequences. */
  async #noteLoss(): Promise<void> {
    const lost = (state: SessionState) => (isBusy(state) && state.open.damage === 0 ? [LOST] : [])
    await retryUntilStorageIsFree(() => this.#writer.decide(lost), this.#over)
    await this.#run.deliver()
    this.stored([LOST])
  }
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}

const LOST: SessionEvent = { type: 'line.unparsed', text: '', bytes: 0 }
const FULL =
  'The disk of PLEXUS_HOME is full while Claude Code is at work, and its output is being lost; free some space.'
const STUCK =
  'Some output of Claude Code was lost, and an interrupt did not end its turn, so it was ended. Check the free space of the disk and send the prompt again.'
const CHECK_MS = 1_000
