import { randomUUID } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { StartOptions } from '../child/start-options.ts'
import { realDirectory } from '../child/working-directory.ts'
import { AppError } from '../errors.ts'
import type { Store } from '../store/store.ts'
import { Doorbells } from './doorbells.ts'
import { type Content, LiveSession, type Said } from './live-session.ts'
import type { Surroundings } from './prepare-run.ts'
import type { Origin, Session } from './session.ts'
import { type Bookkeeping, SessionWriter } from './session-writer.ts'

export interface Limits {
  /** Processes at once. */
  readonly maxSessions: number
  /** How long an idle process stays warm. */
  readonly idleMs: number
  /** An idle process whose output is larger begins anew with its next prompt. */
  readonly maxOutputBytes: number
}

export interface NewSession {
  readonly options: StartOptions
  readonly owner: string
  readonly parentId?: string | undefined
  readonly id?: string | undefined
  readonly origin?: Origin | undefined
  readonly headNode?: string | undefined
}

/** All sessions that are awake: each has its one writer here, and a process while it needs one. */
export class Supervisor {
  readonly doorbells = new Doorbells()
  readonly #store: Store
  readonly #around: Surroundings
  readonly #limits: Limits
  readonly #books: Bookkeeping
  readonly #awake = new Map<string, Promise<LiveSession>>()
  /** Those who may start a process and have not yet. */
  readonly #admitted = new Set<string>()
  readonly #sweeper: NodeJS.Timeout
  #admissions: Promise<unknown> = Promise.resolve()

  constructor(
    store: Store,
    around: Surroundings,
    limits: Limits,
    { now = Date.now, onMoment }: Partial<Bookkeeping> = {},
  ) {
    this.#store = store
    this.#books = { store, doorbells: this.doorbells, now, onMoment }
    this.#around = around
    this.#limits = limits
    this.#sweeper = setInterval(
      () => void this.sweep().catch(around.onError),
      Math.min(limits.idleMs / 2, SWEEP_MS),
    )
    this.#sweeper.unref()
  }

  async create({
    options,
    owner,
    parentId,
    id = randomUUID(),
    origin = { kind: 'new' },
    headNode,
  }: NewSession): Promise<Session> {
    const now = this.#books.now()
    const session: Session = {
      id,
      name: options.name,
      parentId,
      owner,
      workingDirectory: await realDirectory(options.workingDirectory ?? '.'),
      config: options,
      origin,
      cliSessionId: id,
      createdAt: now,
      updatedAt: now,
      status: 'idle',
      turn: 0,
      lastSeq: 0,
      costUsd: 0,
      headNode,
    }
    await this.#store.sessions.create(session)
    return session
  }

  async say(sessionId: string, content: Content): Promise<Said> {
    return (await this.wake(sessionId)).say(content)
  }

  /** The session with its writer; a session has one at a time, whoever asks. */
  wake(sessionId: string): Promise<LiveSession> {
    const awake = this.#awake.get(sessionId)
    if (awake) return awake
    const waking = this.#wake(sessionId)
    this.#awake.set(sessionId, waking)
    waking.catch(() => this.#awake.delete(sessionId))
    return waking
  }

  /**
   * Takes over every process that an earlier hub left, and starts one where it left prompts without. To be called
   * once, before anything else. One session that cannot be taken over must not keep the others from it.
   */
  async adopt(): Promise<void> {
    const { home, onError } = this.#around
    await mkdir(join(home, 'runs'), { recursive: true, mode: 0o700 })
    for (const run of await this.#store.runs.live())
      await this.wake(run.sessionId)
        .then((session) => session.adopt(run))
        .catch(onError)
    for (const { id } of await this.#store.sessions.list({ status: ['running'], limit: MANY }))
      await this.wake(id)
        .then((session) => session.goOn())
        .catch(onError)
  }

  /** Lets go of processes that have been idle for long, or have said too much. */
  async sweep(): Promise<void> {
    for (const session of await this.#withProcess()) {
      const saidTooMuch = session.outputBytes > this.#limits.maxOutputBytes
      await session.stopIfIdle(saidTooMuch ? 0 : this.#limits.idleMs)
    }
  }

  /** The hub goes. Its children stay, or are ended too. */
  async close({ endChildren }: { endChildren: boolean }): Promise<void> {
    clearInterval(this.#sweeper)
    const all = await Promise.allSettled(this.#awake.values())
    const sessions = all.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
    await Promise.all(sessions.map((session) => (endChildren ? session.stop() : session.letGo())))
  }

  async #wake(sessionId: string): Promise<LiveSession> {
    const session = await this.#store.sessions.get(sessionId)
    if (!session)
      throw new AppError(
        'not_found',
        `There is no session ${sessionId}; list the sessions to see which there are.`,
      )
    const writer = await SessionWriter.open(this.#books, session)
    return new LiveSession(writer, this.#around, () => this.#makeRoom(sessionId))
  }

  /** The process that has been idle longest makes room for a new one; if none is idle, the new one has to wait. */
  #makeRoom(sessionId: string): Promise<() => void> {
    const admitted = this.#admissions.then(async () => {
      const living = await this.#withProcess()
      const taken = new Set([...living.map(({ session }) => session.id), ...this.#admitted]).size
      if (taken >= this.#limits.maxSessions) await this.#letOneGo(living)
      this.#admitted.add(sessionId)
      return () => void this.#admitted.delete(sessionId)
    })
    this.#admissions = admitted.catch(() => {})
    return admitted
  }

  async #letOneGo(living: readonly LiveSession[]): Promise<void> {
    const idle = living.filter(({ idleMs }) => idleMs !== undefined)
    for (const session of idle.toSorted((a, b) => (b.idleMs ?? 0) - (a.idleMs ?? 0)))
      if (await session.stopIfIdle(0)) return
    throw new AppError(
      'too_many_sessions',
      `${this.#limits.maxSessions} sessions are at work, which is the limit (MAX_SESSIONS); wait for one to end, or stop one.`,
    )
  }

  async #withProcess(): Promise<LiveSession[]> {
    const all = await Promise.allSettled(this.#awake.values())
    return all.flatMap((one) => (one.status === 'fulfilled' && one.value.hasProcess ? [one.value] : []))
  }
}

const SWEEP_MS = 30_000
/** More than a hub can have had at work. */
const MANY = 10_000
