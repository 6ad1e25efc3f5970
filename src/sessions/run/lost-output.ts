import { statSync } from 'node:fs'
import type { RunFolder } from '../../child/process/run-folder.ts'
import { AppError } from '../../base/errors.ts'
import type { SessionEvent } from '../../events/session-event.ts'
import { ComingToRest } from './coming-to-rest.ts'
import { isDiskFull } from '../../system/free-space.ts'
import { FullDisk } from './full-disk.ts'
import { isBusy, type SessionState, statusOf } from '../record/session-state.ts'
import type { SessionWriter } from '../record/session-writer.ts'
import { retryUntilStorageIsFree } from '../../base/retry.ts'

interface Parts {
  readonly run: RunFolder
  readonly writer: SessionWriter
  /** Whether the child was given all that it may be waiting for. */
  readonly isTold: () => boolean
  /** How much of its output was read, and is on record as far as it says something. */
  readonly read: () => number
  readonly deliver: () => Promise<void>
  readonly over: AbortSignal
  readonly onError: (error: unknown) => void
}

/** Sees to it that nobody waits for something that the child said into a full disk. */
export class LostOutput {
  readonly #with: Parts
  readonly #disk = new FullDisk()
  readonly #rest: ComingToRest
  #looks: NodeJS.Timeout | undefined

  constructor(parts: Parts) {
    this.#with = parts
    this.#rest = new ComingToRest(() => parts.writer.state, parts.isTold)
  }

  /** Resolves when something was lost and the child did not come to rest by an interrupt. */
  get stuck(): Promise<void> {
    return this.#rest.stuck
  }

  watch(): void {
    this.#looks = setInterval(() => this.#look(), LOOK_MS)
    const { writer, deliver, onError } = this.#with
    // An earlier hub left it so: it is interrupted again, by us, and has its time from then on.
    if (writer.state.open.damage > 0) deliver().then(() => this.take([LOST]), onError)
  }

  /** To be told what was stored of its output. */
  take(events: readonly SessionEvent[]): void {
    this.#rest.take(events)
  }

  end(): void {
    clearInterval(this.#looks)
    this.#rest.end()
  }

  #look(): void {
    const { run, writer, isTold, read, onError } = this.#with
    if (!isBusy(writer.state)) return this.#disk.forget()
    const known = this.#disk.concerns
    const full = isDiskFull(run.path)
    const atWork = statusOf(writer.state) === 'running' && isTold()
    if (this.#disk.look({ full, atWork, written: sizeOf(run.stdout), read: read() }))
      this.#note().catch(onError)
    else if (!known && this.#disk.concerns) onError(new AppError('storage_full', FULL))
  }

  /** It stands in the log like a line that could not be read, and the same follows from it. */
  async #note(): Promise<void> {
    const { writer, deliver, over } = this.#with
    const lost = (state: SessionState) => (isBusy(state) && state.open.damage === 0 ? [LOST] : [])
    await retryUntilStorageIsFree(() => writer.decide(lost), over)
    await deliver()
    this.take([LOST])
  }
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0
}

const LOST: SessionEvent = { type: 'line.unparsed', text: '', bytes: 0 }
const FULL =
  'The disk of PLEXUS_HOME is full while Claude Code is at work, and what it says now is lost; free some space.'
const LOOK_MS = 1_000
