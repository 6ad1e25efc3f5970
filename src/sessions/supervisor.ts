import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { SessionId, SessionKey } from '../base/ids.ts'
import type { SessionEvent } from '../events/session-event.ts'
import { GrantEnds } from './grant-ends.ts'
import { ancestorsOf } from './record/ancestor-ids.ts'
import { AT_WORK } from './record/at-work.ts'
import type { Store } from './record/store.ts'
import { LiveSessions } from './session-registry.ts'
import { Doorbells } from './record/session-doorbells.ts'
import { hubIsEnding, LiveSession } from './live-session.ts'
import type { SessionQuestions } from './run/session-questions.ts'
import type { Said, Utterance } from './launch/prompt-kinds.ts'
import type { ProcessIdentity } from '../system/process-identity.ts'
import { type NewSession, newSession } from './new-session.ts'
import { type Remover, removeSession } from './remove-session.ts'
import { ProcessSlots } from './process-slots.ts'
import type { HubEnvironment } from './launch/hub-environment.ts'
import type { Session } from './record/session.ts'
import { requireStored, SessionCreation } from './session-creation.ts'
import { type WriterDeps, SessionWriter } from './writing/session-writer.ts'

export interface Limits {
  /** Processes at once. */
  readonly maxSessions: number
  /** How long an idle process stays warm. */
  readonly idleMs: number
  /** An idle process whose output is larger is stopped; the next prompt starts another. */
  readonly maxOutputBytes: number
}

/** Gets the stored events of every session, in order; must not throw. */
export interface SessionWatcher {
  watch(session: Session, events: readonly SessionEvent[]): void
}

/** All sessions in memory: each has its only writer here, and a process while it needs one. */
export class Supervisor {
  readonly doorbells = new Doorbells()
  readonly #store: Store
  readonly #environment: HubEnvironment
  readonly #limits: Limits
  readonly #writerDeps: WriterDeps
  readonly #watchers: SessionWatcher[] = []
  readonly #live = new LiveSessions((sessionId) => this.#wake(sessionId))
  readonly #slots: ProcessSlots
  /** Creates sessions that have no prompt yet: they are stored, and not in memory. */
  readonly creation: SessionCreation
  readonly grants: GrantEnds
  #closed = false
  readonly #sweeper: NodeJS.Timeout

  constructor(
    store: Store,
    environment: HubEnvironment,
    limits: Limits,
    { now = Date.now, steadyNow, flood, onCreated, onStored, onMoment }: Partial<WriterDeps> = {},
  ) {
    this.#store = store
    this.#writerDeps = {
      store,
      doorbells: this.doorbells,
      now,
      steadyNow,
      flood,
      onCreated,
      onStored: (session, events) => {
        for (const watcher of this.#watchers) watcher.watch(session, events)
        onStored?.(session, events)
      },
      onMoment,
    }
    this.#environment = environment
    this.#limits = limits
    this.grants = new GrantEnds({
      store,
      now,
      wake: (sessionId) => this.wake(sessionId),
      onError: environment.onError,
    })
    this.creation = new SessionCreation({ store, environment, now, onCreated })
    this.#slots = new ProcessSlots(limits.maxSessions, () => this.#withProcess())
    this.#sweeper = setInterval(
      () => void this.sweep().catch(environment.onError),
      Math.min(limits.idleMs / 2, SWEEP_MS),
    )
    this.#sweeper.unref()
  }

  /** Call it before `adopt`, so that the watcher misses nothing. */
  addWatcher(watcher: SessionWatcher): void {
    this.#watchers.push(watcher)
  }

  /** Wakes all waits for this session; each reads the state again. */
  ring(sessionId: SessionKey): void {
    this.doorbells.ring(sessionId)
  }

  /** Creates a session with its first prompt: both are stored, or neither is. */
  async begin(input: NewSession, said: Utterance): Promise<Session> {
    if (this.#closed) throw hubIsEnding()
    const session = newSession(input, this.#environment, this.#writerDeps.now())
    const live = this.#liveSession(SessionWriter.ofNew(this.#writerDeps, session))
    // Rules for the sessions above hold from its first call on.
    live.questions.useAncestors(await ancestorsOf(this.#store.sessions, session.parentId))
    this.#live.put(session.id, live)
    await live.say(said)
    return live.session
  }

  /** A session for a conversation that a person has in a terminal, where the hub found it; it gets the same id. */
  async beginInTerminal(
    input: Omit<NewSession, 'origin' | 'headNode'> & { readonly id: SessionId },
    { pid, startedAt }: ProcessIdentity,
  ): Promise<LiveSession> {
    if (this.#closed) throw hubIsEnding()
    const session = newSession(
      { ...input, origin: { kind: 'resume' } },
      this.#environment,
      this.#writerDeps.now(),
    )
    const live = this.#liveSession(SessionWriter.ofNew(this.#writerDeps, session))
    this.#live.put(session.id, live)
    await live.outside.found(pid, startedAt).catch((error: unknown) => {
      this.#live.forget(session.id)
      throw error
    })
    return live
  }

  /** Removes a session of a terminal that has ended and asked nothing: it is a conversation of the CLI like any other. */
  async forgetTerminal(live: LiveSession): Promise<void> {
    const { id } = live.session
    await live.remove(() => this.#store.sessions.remove(id), { evenAtWork: false })
    this.#live.forget(id)
    this.ring(id)
  }

  /** The session with a process of ours that has this conversation of the CLI. */
  withConversation(cliSessionId: string): LiveSession | undefined {
    return this.#withProcess().find(({ session, state }) =>
      [session.id, session.cliSessionId, state.cliSessionId].includes(cliSessionId),
    )
  }

  /** The session whose conversation was handed over to a terminal under this id of the CLI. */
  attachedWith(cliSessionId: string): LiveSession | undefined {
    return this.#live
      .values()
      .find(({ session, state }) => state.outside && session.cliSessionId === cliSessionId)
  }

  async say(sessionId: SessionKey, said: Utterance): Promise<Said> {
    return (await this.wake(sessionId)).say(said)
  }

  /** Loads the session with its writer, or returns the object that is in memory. It stays there while it is referred to. */
  wake(sessionId: SessionKey): Promise<LiveSession> {
    return this.#live.get(sessionId)
  }

  async questionsOf(sessionId: SessionKey): Promise<SessionQuestions> {
    return (await this.wake(sessionId)).questions
  }

  /** Runs `work` if the session is not in memory, and keeps it from being loaded meanwhile; returns false if it is in memory. */
  async whileAsleep(sessionId: SessionKey, work: () => Promise<void>): Promise<boolean> {
    const wasAsleep = await this.#live.whileAsleep(sessionId, work)
    // A session that was removed takes the grants of its tree with it.
    await this.grants.reload()
    return wasAsleep
  }

  /** Ends its process and removes everything of it, unless it is at work and that was not asked for. */
  async remove(
    sessionId: SessionKey,
    { evenAtWork, ...by }: { evenAtWork: boolean } & Remover,
  ): Promise<void> {
    const live = await this.wake(sessionId)
    await live.remove(() => removeSession(this.#store, sessionId, by), { evenAtWork })
    this.#live.forget(sessionId)
    await this.grants.reload()
    this.ring(sessionId)
  }

  /** How many sessions are in memory, or were until they were collected. */
  get awake(): number {
    return this.#live.size
  }

  /** The pids of the processes that sessions have now, by session. */
  async pids(): Promise<ReadonlyMap<string, number>> {
    const found = await Promise.all(
      this.#withProcess().map(async (live) => [live.session.id, await live.pid()] as const),
    )
    return new Map(found.flatMap(([id, pid]) => (pid === undefined ? [] : [[id, pid] as const])))
  }

  /** Adopts the processes and prompts that an earlier hub left. Call it once, before anything else. */
  async adopt(): Promise<void> {
    await mkdir(join(this.#environment.home, 'runs'), { recursive: true, mode: 0o700 })
    await this.grants.load()
    await this.#adoptAll()
  }

  /** Stops processes that have been idle for long, or whose output is too large; retries what could not be adopted before. */
  async sweep(): Promise<void> {
    for (const session of this.#withProcess()) {
      const isOutputTooLarge = session.outputBytes > this.#limits.maxOutputBytes
      await session.stopIfIdle(isOutputTooLarge ? 0 : this.#limits.idleMs)
    }
    await this.#attempt(() => this.grants.sweep())
    await this.#adoptAll()
  }

  /** The hub ends. Its children keep running, or are ended too. */
  async close({ endChildren }: { endChildren: boolean }): Promise<void> {
    clearInterval(this.#sweeper)
    this.#closed = true
    const sessions = await this.#live.settled()
    await Promise.all(sessions.map((session) => (endChildren ? session.end() : session.detach())))
  }

  /**
   * Adopts every process on record by loading its session, and starts a process for prompts that were left without one. A
   * session for which this fails must not stop the others.
   */
  async #adoptAll(): Promise<void> {
    const { runs, sessions } = this.#store
    const live = new Set((await runs.live()).map(({ sessionId }) => sessionId))
    // Side by side: each waits for its files and for the system, and all that ask the hub wait for the last.
    await Promise.all([...live].map((sessionId) => this.#attempt(() => this.wake(sessionId))))
    for (const { id, status } of await sessions.list({ status: AT_WORK, limit: MANY }))
      // One that waits with a process of ours was loaded above; without one, a process outside may have it.
      if (status === 'running' || !live.has(id))
        await this.#attempt(async () => (await this.wake(id)).startForOwedPrompts())
  }

  async #attempt(work: () => Promise<unknown>): Promise<void> {
    if (!this.#closed) await work().catch(this.#environment.onError)
  }

  async #wake(sessionId: SessionKey): Promise<LiveSession> {
    if (this.#closed) throw hubIsEnding()
    const session = await requireStored(this.#store.sessions, sessionId)
    const live = this.#liveSession(await SessionWriter.open(this.#writerDeps, session))
    await this.#loadGrants(live)
    await live.adopt()
    return live
  }

  #liveSession(writer: SessionWriter): LiveSession {
    return new LiveSession({
      writer,
      environment: this.#environment,
      callers: this.#store.callers,
      admit: () => this.#slots.admit(writer.session.id),
      homeGrants: this.grants.home,
    })
  }

  async #loadGrants(live: LiveSession): Promise<void> {
    live.questions.useGrants(await this.#store.grants.ofSession(live.session.id))
    live.questions.useAncestors(await ancestorsOf(this.#store.sessions, live.session.parentId))
  }

  /** A session that is still being loaded has no process yet. */
  #withProcess(): LiveSession[] {
    return this.#live.values().filter(({ hasProcess }) => hasProcess)
  }
}

const SWEEP_MS = 30_000
/** More sessions than a hub can have had at work. */
const MANY = 10_000
