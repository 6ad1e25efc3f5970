import { type FSWatcher, watch } from 'node:fs'
import { PromiseQueue } from '../../async/promise-queue.ts'
import type { SessionKey } from '../../base/ids.ts'
import { Doorbell } from '../../base/doorbell.ts'
import type { Bell } from './keeper-bell.ts'
import { type LastFile, putMessage } from './child-input.ts'
import { type Batch, readOutput } from './child-output.ts'
import type { ChildMessage } from '../lines/message-line.ts'
import { endOf } from './run-liveness.ts'
import type { ProcessIdentity } from '../../system/process-identity.ts'
import { descendantsOf, endAll, findMarked, signalAll } from '../../system/process-tree.ts'
import type { RunEnd } from './run-end.ts'
import { readChild, readProcesses, type RunFolder, type RunProcesses } from './run-folder.ts'

/**
 * A child that this hub has started or adopted. `close` releases it and ends nothing; `stop` ends it. When a run has ended,
 * for any reason, no process of its session is left.
 */
export class Child {
  readonly run: RunFolder
  readonly sessionId: SessionKey
  /** Settles when the run has ended and its processes are gone; never if we close before that. */
  readonly ended: Promise<RunEnd>
  readonly #bell: Bell | undefined
  readonly #output = new Doorbell()
  readonly #life = new Doorbell()
  readonly #closed = new AbortController()
  readonly #watcher: FSWatcher | undefined
  #processes: RunProcesses | undefined
  /** The descendants of the child when `stop` was called. */
  #family: readonly ProcessIdentity[] = []
  #end: RunEnd | undefined
  readonly #puts = new PromiseQueue()
  /** The last file that this hub wrote for the keeper. */
  #lastFile: LastFile
  /** The keeper feeds the will and closes the pipe: no message may follow it. */
  #inputClosed = false

  constructor(run: RunFolder, sessionId: SessionKey, bell: Bell | undefined) {
    this.run = run
    this.sessionId = sessionId
    this.#bell = bell
    this.#watcher = this.#watch()
    this.ended = this.#awaitEnd()
  }

  /** The child's process and its keeper's, once both exist. */
  async processes(): Promise<RunProcesses | undefined> {
    this.#processes ??= await readProcesses(this.run)
    return this.#processes
  }

  /** Sends messages in the order of the calls. A message to a dead child stays in its folder. */
  put(message: ChildMessage): Promise<void> {
    return this.#puts.run(() => this.#put(message))
  }

  /** Everything that it writes after `offset`, until the run has ended and all is read, or until closed. */
  read(offset: number): AsyncGenerator<Batch, void> {
    return readOutput(this.run.stdout, offset, {
      isClosed: () => this.#closed.signal.aborted,
      hasEnded: () => this.#end !== undefined,
      wait: () => this.#wait(this.#output),
    })
  }

  /** Interrupt and end of stdin, then SIGINT, SIGTERM, SIGKILL; then its remaining processes are ended. */
  async stop(signals = STOP_SIGNALS): Promise<RunEnd> {
    let child = await this.#findFamily()
    this.#inputClosed = true
    this.#bell?.ring('stop')
    for (const [signal, ms] of signals) {
      if (await this.#endsWithin(ms)) break
      child ??= await this.#findFamily() // it was perhaps just starting
      if (child) await signalAll([child], signal)
    }
    return this.ended
  }

  /** The keeper then sees that no hub is there, and its lease begins. */
  close(): void {
    this.#closed.abort()
    this.#watcher?.close()
    this.#bell?.close()
  }

  /** While the child lives: afterwards nothing shows whose descendants these are. */
  async #findFamily(): Promise<ProcessIdentity | undefined> {
    const child = (await this.processes())?.child ?? (await readChild(this.run))
    if (child) this.#family = await descendantsOf([child.pid])
    return child
  }

  async #awaitEnd(): Promise<RunEnd> {
    for (;;) {
      // A check that fails (no descriptor is left) says nothing about the child: the next check may.
      const end = await this.#checkEnd().catch(() => undefined)
      if (end) {
        this.#end = end
        this.#output.ring()
        return end
      }
      await this.#wait(this.#life)
      if (this.#closed.signal.aborted) return new Promise(() => {})
    }
  }

  async #checkEnd(): Promise<RunEnd | undefined> {
    const processes = await this.processes()
    const end = await endOf(this.run, processes?.keeper)
    if (end) await this.#cleanUp(processes?.child)
    return end
  }

  async #put(message: ChildMessage): Promise<void> {
    const put = await putMessage(this.run, message, this.#inputClosed ? undefined : this.#lastFile)
    if (put === 'written') {
      this.#lastFile = 'fed'
      return
    }
    if (put !== 'folder gone') {
      this.#lastFile = put
      if (this.#bell?.ring()) return
    }
    this.#life.ring() // no keeper listens: check whether the run has ended
  }

  async #cleanUp(child: ProcessIdentity | undefined): Promise<void> {
    this.#bell?.ring('gone')
    const marked = findMarked(this.sessionId)
    await endAll((table) => [...(child ? [child] : []), ...this.#family, ...marked(table)])
  }

  async #endsWithin(ms: number): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined
    const tooLate = new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(false), ms)
    })
    return Promise.race([this.ended.then(() => true), tooLate]).finally(() => clearTimeout(timer))
  }

  #watch(): FSWatcher | undefined {
    try {
      const watcher = watch(this.run.path, (_event, name) => {
        if (name === null || name === 'stdout') this.#output.ring()
        if (name === null || name === 'exit') this.#life.ring()
      })
      watcher.on('error', () => this.#life.ring())
      return watcher
    } catch {
      return undefined // no folder: the first check for the end finds that out
    }
  }

  /** The watch is only a nudge; the slow poll is reliable. False if only the time was up. */
  async #wait(doorbell: Doorbell): Promise<boolean> {
    return doorbell.next(POLL_MS, this.#closed.signal).catch(() => true)
  }
}

const POLL_MS = 1_000
const STOP_SIGNALS: readonly (readonly [NodeJS.Signals, number])[] = [
  ['SIGINT', 2_000],
  ['SIGTERM', 1_000],
  ['SIGKILL', 1_000],
]
