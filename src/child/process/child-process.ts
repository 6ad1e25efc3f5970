import { fstatSync, type FSWatcher, readSync, watch } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { Doorbell } from '../../base/doorbell.ts'
import { isErrno } from '../../base/errno.ts'
import type { Bell } from './keeper-bell.ts'
import { ChildInput } from './child-input.ts'
import type { ChildMessage } from '../lines/message-line.ts'
import { LineSplitter, type SplitLine } from '../../text/line-splitter.ts'
import { endOf } from './run-liveness.ts'
import type { ProcessIdentity } from '../../system/process-identity.ts'
import { descendantsOf, endAll, findMarked, signalAll } from '../../system/process-tree.ts'
import type { RunEnd } from './run-end.ts'
import { readProcesses, type RunFolder, type RunProcesses } from './run-folder.ts'

/** What one read gave: whole lines, and the offset behind the last of them, to be stored in one transaction. */
export interface Batch {
  readonly lines: readonly SplitLine[]
  readonly offset: number
}

/**
 * A child in our hands, started or adopted. `close` lets go of it and ends nothing; `stop` ends it. When a run
 * has ended, however it did, no process of its session is left.
 */
export class Child {
  readonly run: RunFolder
  readonly sessionId: string
  /** Settles when the run has ended and its processes are gone; never when we let go before. */
  readonly ended: Promise<RunEnd>
  readonly #bell: Bell | undefined
  readonly #input: ChildInput
  readonly #output = new Doorbell()
  readonly #life = new Doorbell()
  readonly #closed = new AbortController()
  readonly #watcher: FSWatcher | undefined
  #processes: RunProcesses | undefined
  /** What was below the child when it was told to stop. */
  #family: readonly ProcessIdentity[] = []
  #end: RunEnd | undefined
  #puts: Promise<void> = Promise.resolve()

  constructor(run: RunFolder, sessionId: string, bell: Bell | undefined) {
    this.run = run
    this.sessionId = sessionId
    this.#bell = bell
    this.#input = new ChildInput(run, bell)
    this.#watcher = this.#watch()
    this.ended = this.#awaitEnd()
  }

  /** The child's process and its keeper's, once they are there. */
  async processes(): Promise<RunProcesses | undefined> {
    this.#processes ??= await readProcesses(this.run)
    return this.#processes
  }

  /** Hands a message over, in the order of the calls. What a dead child is given stays in its folder. */
  put(message: ChildMessage): Promise<void> {
    const put = this.#puts.then(() => this.#put(message))
    this.#puts = put.catch(() => {})
    return put
  }

  /**
   * Everything behind `offset`, as it comes; returns when the run has ended and all is read, or when closed. The CLI writes
   * each line in one go, so half a line with a silence behind it is all that a full disk took of it. It is told as it is:
   * the child may wait for an answer to it, and then nothing more would come.
   */
  async *read(offset: number): AsyncGenerator<Batch, void> {
    let splitter = new LineSplitter({ start: offset })
    const file = await open(this.run.stdout, 'r').catch(undefinedWhenGone)
    if (!file) return
    try {
      for (let position = offset, silence = 0; !this.#closed.signal.aborted;) {
        const ended = this.#end !== undefined // looked up before the read: then nothing can come after it
        const { size } = fstatSync(file.fd)
        if (size > position) {
          silence = 0
          const chunk = await chunkOf(file, position, size)
          position += chunk.length
          const lines = splitter.push(chunk)
          if (lines.length > 0) yield { lines, offset: splitter.completeBytes }
        } else if (ended || (silence >= LOOKS && splitter.completeBytes < position)) {
          const rest = splitter.end()
          if (rest) yield { lines: [{ ...rest, end: position }], offset: position }
          if (ended) return
          splitter = new LineSplitter({ start: position })
        } else {
          silence = (await this.#wait(this.#output)) ? 0 : silence + 1
        }
      }
    } finally {
      await file.close()
    }
  }

  /** Interrupt and end of stdin, then SIGINT, SIGTERM, SIGKILL, then whatever is left of it. */
  async stop(patience = PATIENCE): Promise<RunEnd> {
    const child = (await this.processes())?.child
    // While it lives: afterwards nothing tells where these came from.
    if (child) this.#family = await descendantsOf([child.pid])
    this.#input.close()
    for (const [signal, ms] of patience) {
      if (await this.#endsWithin(ms)) break
      if (child) await signalAll([child], signal)
    }
    return this.ended
  }

  /** The keeper then knows that no hub is there, and its lease begins. */
  close(): void {
    this.#closed.abort()
    this.#watcher?.close()
    this.#bell?.close()
  }

  async #awaitEnd(): Promise<RunEnd> {
    for (;;) {
      // A look that fails (no descriptor is left) says nothing of the child: the next one may.
      const end = await this.#lookForEnd().catch(() => undefined)
      if (end) {
        this.#end = end
        this.#output.ring()
        return end
      }
      await this.#wait(this.#life)
      if (this.#closed.signal.aborted) return new Promise(() => {})
    }
  }

  async #lookForEnd(): Promise<RunEnd | undefined> {
    const processes = await this.processes()
    const end = await endOf(this.run, processes?.keeper)
    if (end) await this.#cleanUp(processes?.child)
    return end
  }

  async #put(message: ChildMessage): Promise<void> {
    const heard = await this.#input.put(message)
    if (!heard) this.#life.ring()
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
      return undefined // no folder: the first look at its life finds that out
    }
  }

  /** The watch is a nudge; the slow look is the truth. False when nothing nudged. */
  async #wait(doorbell: Doorbell): Promise<boolean> {
    return doorbell.next(POLL_MS, this.#closed.signal).catch(() => true)
  }
}

function undefinedWhenGone(error: unknown): undefined {
  if (!isErrno(error, 'ENOENT', 'ENOTDIR')) throw error
}

/** A little was written just now and lies in memory: a thread for it would take longer than the read, and the child waits. */
async function chunkOf(file: FileHandle, position: number, size: number): Promise<Buffer> {
  const chunk = Buffer.allocUnsafe(Math.min(size - position, MAX_CHUNK))
  const bytes =
    chunk.length <= LITTLE
      ? readSync(file.fd, chunk, 0, chunk.length, position)
      : (await file.read(chunk, 0, chunk.length, position)).bytesRead
  return chunk.subarray(0, bytes)
}

const POLL_MS = 1_000
/** So many looks without a word are a silence: a disk that is slow may hold up a long line for a moment. */
const LOOKS = 3
const MAX_CHUNK = 1 << 20
const LITTLE = 1 << 16
const PATIENCE: readonly (readonly [NodeJS.Signals, number])[] = [
  ['SIGINT', 2_000],
  ['SIGTERM', 1_000],
  ['SIGKILL', 1_000],
]
