import { PromiseQueue } from '../../async/promise-queue.ts'
import { definedFields } from '../../base/defined-fields.ts'
import type { Session } from '../../sessions/record/session.ts'
import type { Store } from '../../sessions/record/store.ts'
import type { LiveSession } from '../../sessions/live-session.ts'
import type { Supervisor } from '../../sessions/supervisor.ts'
import { isAlive } from '../../system/process-identity.ts'
import {
  readTerminalStatuses,
  type TerminalStatus,
  watchTerminalStatuses,
} from '../../terminals/status-files.ts'
import { conversationOf } from './terminal-conversation.ts'

export interface TerminalSessionsDeps {
  readonly store: Store
  readonly supervisor: Supervisor
  /** The folder of the CLI's own files; others are added when a terminal asks. */
  readonly configFolder: string | undefined
  readonly onError: (error: unknown) => void
}

/** A CLI in a terminal, and the session that is its conversation. */
export interface Terminal {
  readonly status: TerminalStatus
  readonly live: LiveSession
}

/**
 * The CLIs that persons run in terminals, as sessions: found by the files that each CLI keeps of itself, stored when they
 * change, and ended when their process has ended. Nothing is started or ended here.
 */
export class TerminalSessions {
  readonly #deps: TerminalSessionsDeps
  readonly #folders = new Set<string>()
  /** By pid. */
  readonly #known = new Map<number, Terminal>()
  readonly #listeners = new Set<() => void>()
  readonly #queue = new PromiseQueue()
  #watch: { close(): void } | undefined
  #isClosed = false

  constructor(deps: TerminalSessionsDeps) {
    this.#deps = deps
  }

  /** Begins with the terminals that an earlier hub knew. */
  start(): void {
    this.#queue.run(() => this.#endGone()).catch(this.#deps.onError)
    if (this.#deps.configFolder !== undefined) this.#follow(this.#deps.configFolder)
  }

  close(): void {
    this.#isClosed = true
    this.#watch?.close()
  }

  /** The terminal whose CLI has this pid; undefined if there is none, or if its conversation is one of our own processes. */
  async find(configFolder: string, pid: number): Promise<Terminal | undefined> {
    const status = (await readTerminalStatuses(configFolder)).find((one) => one.pid === pid)
    if (!status) return undefined
    this.#follow(configFolder)
    await this.#queue.run(() => this.#note(status))
    return this.#known.get(pid)
  }

  statusOf(pid: number): TerminalStatus | undefined {
    return this.#known.get(pid)?.status
  }

  /** Called after each change of a terminal. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  #follow(configFolder: string): void {
    if (this.#folders.has(configFolder) || this.#folders.size >= MAX_FOLDERS) return
    this.#folders.add(configFolder)
    this.#watch?.close()
    this.#watch = watchTerminalStatuses([...this.#folders], (statuses, isChanged) => {
      const work = async () => {
        await this.#endMissing(statuses)
        if (isChanged) for (const status of statuses) await this.#attempt(() => this.#note(status))
      }
      this.#queue.run(work).catch(this.#deps.onError)
    })
  }

  /**
   * After each reading, also one that found the same as before: a terminal that asked may have ended before any reading found it,
   * and a CLI removes its file before it ends.
   */
  async #endMissing(statuses: readonly TerminalStatus[]): Promise<void> {
    const pids = new Set(statuses.map(({ pid }) => pid))
    for (const [pid, { live }] of this.#known)
      if (!pids.has(pid)) await this.#attempt(() => this.#endIfGone(live, pid))
  }

  async #note(status: TerminalStatus): Promise<void> {
    const known = this.#known.get(status.pid)
    // Two readings may arrive in the other order.
    if (this.#isClosed || (known && status.statusUpdatedAt < known.status.statusUpdatedAt)) return
    const live =
      known && (await this.#isSame(known, status)) ? known.live : await conversationOf(this.#deps, status)
    if (!live) return void this.#known.delete(status.pid)
    this.#known.set(status.pid, { status, live })
    const { waitingFor } = status
    await live.outside.changed({
      status: status.status,
      ...definedFields({ waitingFor: waitingFor?.slice(0, MAX_WORDS) }),
    })
    for (const listener of this.#listeners) listener()
  }

  /** After `/clear` the CLI has another conversation; the one before is over in this terminal. */
  async #isSame({ live, status: before }: Terminal, status: TerminalStatus): Promise<boolean> {
    if (before.sessionId === status.sessionId) return live.state.outside?.to === 'terminal'
    const { outside } = live.state
    // The program that handed it over reports the new conversation when it ends.
    if (outside && !outside.found) return true
    await this.#end(live, status.pid)
    return false
  }

  /** A file may be unreadable for a moment, while its CLI writes it: the process decides. */
  async #endIfGone(live: LiveSession, pid: number): Promise<void> {
    const { outside } = live.state
    const isGone = !outside || !(await isAlive({ pid, startedAt: this.#startOf(outside, pid) }))
    if (isGone) await this.#end(live, pid)
  }

  #startOf(outside: NonNullable<Session['outside']>, pid: number): string {
    return outside.pid === pid ? outside.startedAt : (this.#known.get(pid)?.status.procStart ?? '')
  }

  async #end(live: LiveSession, pid: number): Promise<void> {
    this.#known.delete(pid)
    if (live.state.outside?.found) await live.outside.noteGone(pid)
    if (live.session.terminal && !live.session.outside && live.session.questions === undefined)
      await this.#deps.supervisor.forgetTerminal(live)
    for (const listener of this.#listeners) listener()
  }

  /** The terminals that ended while no hub ran. */
  async #endGone(): Promise<void> {
    const { store, supervisor } = this.#deps
    const all = await store.sessions.list({ status: ['idle', 'running', 'waiting'], limit: MANY })
    for (const { id, outside } of all)
      if (outside?.to === 'terminal')
        await this.#attempt(async () => {
          const live = await supervisor.wake(id) // one that was handed over watches its own end
          if (outside.found && !(await isAlive(outside))) await this.#end(live, outside.pid)
        })
  }

  async #attempt(work: () => Promise<unknown>): Promise<void> {
    if (!this.#isClosed) await work().catch(this.#deps.onError)
  }
}

/** More than a person has; a program that asks could name any number. */
const MAX_FOLDERS = 16
const MAX_WORDS = 100
const MANY = 10_000
