/** An engine with everything below it (real CLI, scripted model), in this process or behind a socket. */
import { chmod, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { type App, createApp } from '../../../src/assembly/app.ts'
import type { Caller } from '../../../src/callers/access-rules.ts'
import { endAll, processesOfSession } from '../../../src/system/process-tree.ts'
import { StartOptions } from '../../../src/child/launch/start-options.ts'
import type { Scenario } from '../../../src/demo/scenario.ts'
import { type ScriptedModel, startScriptedModel } from '../../../src/demo/scripted-model.ts'
import type { Engine, PendingQuestion, CallContext } from '../../../src/engine/engine.ts'
import { findHub } from './find-hub.ts'
import { createRemoteEngine } from '../../../src/hub-client/remote-engine.ts'
import type { EventOf, SessionEvent } from '../../../src/events/session-event.ts'
import type { Session } from '../../../src/sessions/record/session.ts'
import { openMemoryStore } from '../../../src/store/memory/open.ts'
import { openSqliteStore } from '../../../src/store/sqlite/open.ts'
import type { Store } from '../../../src/sessions/record/store.ts'
import { runningSessions } from '../../../src/transcripts/running-elsewhere.ts'
import { transcriptPathOf } from '../../../src/transcripts/transcript-path.ts'
import { cleanEnvironment, cliPath, cliVersion, temporaryFolder } from '../cli/real-cli.ts'
import { SmallHub } from './small-hub.ts'
import { asCallerId } from '../tools/ids.ts'

const engines = ['here on memory', 'here on sqlite', 'behind a socket'] as const
export type EngineKind = (typeof engines)[number]

export const OPERATOR: Caller = {
  id: asCallerId('operator'),
  kind: 'operator',
  name: 'operator',
  scopes: ['bypass'],
  person: true,
}

export async function startEngine(kind: EngineKind, scenario: Scenario = { main: [] }): Promise<EngineRig> {
  const folder = await temporaryFolder()
  const home = join(folder, 'home')
  for (const name of ['home', 'project']) await mkdir(join(folder, name))
  await chmod(home, 0o700)
  const model = await startScriptedModel(scenario)
  onTestFinished(() => model.close())
  const store =
    kind === 'here on memory' ? await openMemoryStore() : await openSqliteStore(join(home, 'plexus.db'))
  const errors: unknown[] = []
  const app = await openApp({ store, home, env: cleanEnvironment(folder, model.url), errors })
  const hub = kind === 'behind a socket' ? new SmallHub(home, app.engine) : undefined
  await hub?.open()
  const rig = new EngineRig({ folder, model, store, app, hub, errors })
  onTestFinished(() => rig.clear())
  return rig
}

interface Around {
  readonly store: Store
  readonly home: string
  readonly env: Record<string, string>
  readonly errors: unknown[]
}

export function openApp({ store, home, env, errors }: Around): Promise<App> {
  const config = env['CLAUDE_CONFIG_DIR'] ?? ''
  return createApp({
    store,
    limits: { maxSessions: 10, idleMs: 600_000, maxOutputBytes: 64 << 20 },
    environment: {
      home,
      env,
      leaseSeconds: 600,
      trusted: () => [],
      findCli: async () => ({ path: cliPath(), version: cliVersion() }),
      transcriptOf: (id) => transcriptPathOf(config, id),
      openElsewhere: async (id) => (await runningSessions(config)).get(id)?.pid,
      onError: (error) => errors.push(error),
    },
  })
}

interface Parts {
  readonly folder: string
  readonly model: ScriptedModel
  readonly store: Store
  readonly app: App
  readonly hub: SmallHub | undefined
  readonly errors: unknown[]
}

export class EngineRig {
  readonly parts: Parts
  readonly engine: Engine
  readonly #ids = new Set<string>()

  constructor(parts: Parts) {
    this.parts = parts
    this.engine = this.as(OPERATOR)
  }

  get home(): string {
    return join(this.parts.folder, 'home')
  }

  get project(): string {
    return join(this.parts.folder, 'project')
  }

  /** The engine for one caller; behind a socket, by a token of theirs. */
  as(caller: Caller): Engine {
    const { hub, app } = this.parts
    if (!hub) return app.engine
    const token = `token-of-${caller.name}`
    hub.callers.set(token, caller)
    const remote = createRemoteEngine({ find: () => findHub(this.home, token) })
    onTestFinished(() => remote.close())
    return remote
  }

  async create(options: Partial<StartOptions> = {}, more: object = {}): Promise<Session> {
    const parsed = StartOptions.parse({ workingDirectory: this.project, ...options })
    return this.track(await this.engine.createSession(ME, { options: parsed, ...more }))
  }

  track(session: Session): Session {
    this.#ids.add(session.id)
    return session
  }

  async start(prompt = 'go', options: Partial<StartOptions> = {}, more: object = {}): Promise<string> {
    const { id } = await this.create(options, more)
    await this.engine.startTurn(ME, { sessionId: id, content: prompt })
    return id
  }

  /** Waits until it needs someone or has ended. */
  async wait(sessionId: string): Promise<Session> {
    const [session] = await this.engine.waitFor(ME, { sessionIds: [sessionId], seconds: 20 })
    if (!session) throw new Error('The session was at work for 20 seconds.')
    return session
  }

  async question(sessionId: string): Promise<PendingQuestion> {
    await this.wait(sessionId)
    const [question] = await this.engine.pending(ME, { sessionId })
    if (!question) throw new Error('The session asks nothing.')
    return question
  }

  /** The first event of a type, on record already or still to come. */
  async event<T extends SessionEvent['type']>(sessionId: string, type: T): Promise<EventOf<T>> {
    const call = { ...ME, signal: AbortSignal.timeout(60_000) }
    for await (const { events } of this.engine.followEvents(call, { sessionId, after: 0 }))
      for (const { event } of events) if (event.type === type) return event as EventOf<T>
    throw new Error(`No ${type} came.`)
  }

  async clear(): Promise<void> {
    const { hub, app, store } = this.parts
    await hub?.close()
    await app.close({ endChildren: false })
    for (const id of this.#ids) await endAll(() => processesOfSession(id))
    await store.close()
  }
}

export const ME: CallContext = { caller: OPERATOR }
