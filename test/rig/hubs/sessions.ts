/** Sessions under a supervisor in this process: real CLI, scripted model, the store that the test names. */
import { chmod, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { onTestFailed, onTestFinished } from 'vitest'
import type { FloodLimits } from '../../../src/approvals/floods/flood.ts'
import { type App, createApp } from '../../../src/assembly/app.ts'
import { endAll, processesOfSession } from '../../../src/system/process-tree.ts'
import { StartOptions } from '../../../src/child/launch/start-options.ts'
import { deskSessions } from '../../../src/sessions/sessions-for-desk.ts'
import type { Scenario } from '../../../src/demo/scenario.ts'
import { type ScriptedModel, startScriptedModel } from '../../../src/demo/scripted-model.ts'
import type { CreateSession } from '../../../src/engine/create-session.ts'
import type { Asking, Engine, PendingQuestion, CallContext } from '../../../src/engine/engine.ts'
import type { EventOf, SessionEvent } from '../../../src/events/session-event.ts'
import { followPages } from '../../../src/sessions/record/read-events.ts'
import type { Session } from '../../../src/sessions/record/session.ts'
import type { Limits, Supervisor } from '../../../src/sessions/supervisor.ts'
import type { McpHttpOptions } from '../../../src/transports/mcp-http/mcp-http.ts'
import { homeRules, homeRulesFile, repositoryRules } from '../../../src/hub/rules-files.ts'
import { openMemoryStore } from '../../../src/store/memory/open.ts'
import { openSqliteStore } from '../../../src/store/sqlite/open.ts'
import type { Store } from '../../../src/sessions/record/store.ts'
import { runningSessions } from '../../../src/transcripts/running-elsewhere.ts'
import { transcriptPathOf } from '../../../src/transcripts/transcript-path.ts'
import { PermitServer } from '../cli/permit-server.ts'
import { cleanEnvironment, cliPath, cliVersion, temporaryFolder } from '../cli/real-cli.ts'
import { asCallerId } from '../tools/ids.ts'

export const stores = ['memory', 'sqlite'] as const
export type StoreKind = (typeof stores)[number]
export const carriers = ['control', 'mcp'] as const
type Carrier = (typeof carriers)[number]

type Type = SessionEvent['type']

export interface Setting {
  readonly store: StoreKind
  readonly scenario: Scenario
  readonly limits?: Partial<Limits>
  readonly env?: Record<string, string | undefined>
  /** Steps for the scripted child, in place of the real CLI; it plays them anew in each process. */
  readonly script?: readonly Record<string, unknown>[]
  /** A CLI of the test's own. It is looked up at each start, so a test may change it on the way. */
  readonly cli?: () => string
  /** What the CLI says it is, at each start. */
  /** From how many questions on a person is shown no more. */
  readonly flood?: FloodLimits | 'off'
  /** The wall clock of the record. */
  readonly now?: () => number
  /** What stands between the sessions and their store. */
  readonly around?: (store: Store) => Store
  /** Called before anything is opened, with the path of the home folder. */
  readonly prepareHome?: (home: string) => Promise<void>
  /** The folders that a person has trusted; gets the folder of the test. */
  readonly trusted?: (folder: string) => string[]
  /** How its children ask, unless a test says otherwise. */
  readonly carrier?: Carrier
  readonly permit?: McpHttpOptions
}

export const scriptedChild = join(import.meta.dirname, '../../fixtures/scripted-child.mjs')

/** A hub's worth of sessions, without a hub. */
export async function startSessions(setting: Setting): Promise<Sessions> {
  const folder = await temporaryFolder()
  const model = await startScriptedModel(setting.scenario)
  onTestFinished(() => model.close())
  for (const name of ['home', 'project']) await mkdir(join(folder, name))
  await chmod(join(folder, 'home'), 0o700)
  await setting.prepareHome?.(join(folder, 'home'))
  await writeFile(join(folder, 'script.json'), JSON.stringify(setting.script ?? []))
  const sessions = new Sessions(folder, model, setting)
  onTestFailed(() => sessions.report())
  onTestFinished(() => sessions.clear())
  await sessions.open()
  return sessions
}

/** A person with all rights, at a terminal. */
export const operator: CallContext = {
  caller: {
    id: asCallerId('operator'),
    kind: 'operator',
    name: 'operator',
    scopes: ['bypass'],
    person: true,
  },
}

export class Sessions {
  readonly folder: string
  readonly model: ScriptedModel
  readonly errors: unknown[] = []
  /** What was logged about rules. */
  readonly warnings: string[] = []
  store!: Store
  supervisor!: Supervisor
  engine!: Engine & Asking
  readonly #setting: Setting
  readonly #ids: string[] = []
  readonly #record: string[] = []
  #memory: Store | undefined
  #app: App | undefined
  #permit: PermitServer | undefined

  constructor(folder: string, model: ScriptedModel, setting: Setting) {
    this.folder = folder
    this.model = model
    this.#setting = setting
  }

  get project(): string {
    return join(this.folder, 'project')
  }

  /** As a hub does at its start; again after `crash`. */
  async open(): Promise<void> {
    const { store, limits, env, script, cli, now } = this.#setting
    const home = join(this.folder, 'home')
    this.#memory ??= store === 'memory' ? await openMemoryStore() : undefined
    this.store = this.#memory ?? (await openSqliteStore(join(home, 'plexus.db')))
    const scripted = { SCRIPT: join(this.folder, 'script.json'), PATH: process.env['PATH'] }
    const clean: Record<string, string | undefined> = {
      ...cleanEnvironment(this.folder, this.model.url),
      ...(script ? scripted : {}),
      ...env,
    }
    const port = this.#permit?.port
    this.#permit =
      this.#setting.carrier === 'mcp' ? new PermitServer(this.store, this.#setting.permit) : undefined
    await this.#permit?.listen(port)
    const environment = {
      home,
      permitUrl: () => this.#permit?.url,
      isAnswering: () => this.#permit?.isAnswering ?? true,
      env: clean,
      leaseSeconds: 600,
      trusted: () => this.#setting.trusted?.(this.folder) ?? [],
      rulesFile: homeRulesFile(home),
      rules: homeRules(home, { warn: (text) => void this.warnings.push(text) }),
      repositoryRules: repositoryRules({ warn: (text) => void this.warnings.push(text) }),
      findCli: async () => ({
        path: cli?.() ?? (script ? scriptedChild : cliPath()),
        version: cliVersion(),
      }),
      transcriptOf: (id: string) => transcriptPathOf(clean['CLAUDE_CONFIG_DIR'] ?? '', id),
      openElsewhere: async (id: string) =>
        (await runningSessions(clean['CLAUDE_CONFIG_DIR'] ?? '')).get(id)?.pid,
      onError: (error: unknown) => this.errors.push(error),
    }
    const all: Limits = { maxSessions: 10, idleMs: 600_000, maxOutputBytes: 64 << 20, ...limits }
    const wrapped = this.#setting.around?.(this.store) ?? this.store
    this.#app = await createApp({ store: wrapped, environment, limits: all, now, flood: this.#setting.flood })
    this.supervisor = this.#app.supervisor
    this.engine = this.#app.engine
    this.#permit?.answerFrom(this.engine)
  }

  /** Where a child with the mcp carrier asks. */
  get permitUrl(): string {
    return this.#permit?.url ?? ''
  }

  /** What is left when a hub dies: the processes and the store. */
  async crash(): Promise<void> {
    await this.#letGo()
    if (!this.#memory) await this.store.close()
  }

  async start(
    prompt: string,
    options: Partial<StartOptions> = {},
    more: Partial<CreateSession> = {},
  ): Promise<Session> {
    const { carrier } = this.#setting
    const parsed = StartOptions.parse({ workingDirectory: this.project, carrier, ...options })
    const session = this.track(await this.engine.createSession(operator, { options: parsed, ...more }))
    await this.supervisor.say(session.id, prompt)
    return session
  }

  /** A session that was made otherwise than by `start`; its processes end with the test too. */
  track(session: Session): Session {
    this.#ids.push(session.id)
    return session
  }

  async events(sessionId: string): Promise<SessionEvent[]> {
    return (await this.store.events.read(sessionId, 0, 1_000_000)).map(({ event }) => event)
  }

  /** The n-th event of a type, on record already or still to come. */
  async event<T extends Type>(sessionId: string, type: T, nth = 1): Promise<EventOf<T>> {
    const pages = followPages(this.store, this.supervisor.doorbells, sessionId, {
      after: 0,
      signal: AbortSignal.timeout(60_000),
    })
    let left = nth
    for await (const { events } of pages)
      for (const { event } of events) if (isOfType(event, type) && --left === 0) return event
    throw new Error(
      `No ${type} (${nth}) came. On record: ${(await this.events(sessionId)).map((event) => event.type).join(', ')}`,
    )
  }

  /** The trivial answerer: allows whatever the session asks, until the test is over. */
  allowAll(sessionId: string): void {
    const over = new AbortController()
    onTestFinished(() => over.abort())
    const answer = async () => {
      for await (const { events } of followPages(this.store, this.supervisor.doorbells, sessionId, {
        after: 0,
        signal: over.signal,
      }))
        for (const { event } of events)
          if (event.type === 'approval.opened') await this.allow(sessionId, event)
    }
    answer().catch((error: unknown) => this.errors.push(error))
  }

  /** The oldest question of a session, with what it asks in words; waits for it without polling. */
  async question(sessionId: string): Promise<PendingQuestion> {
    await this.engine.waitFor(operator, { sessionIds: [sessionId], seconds: 20 })
    const [question] = await this.engine.pending(operator, { sessionId })
    if (!question) throw new Error(`Nothing is asked; the session is ${(await this.get(sessionId)).status}.`)
    return question
  }

  async allow(sessionId: string, { approvalId, input }: EventOf<'approval.opened'>): Promise<void> {
    const decision = { behavior: 'allow', updatedInput: input } as const
    const settled = { approvalId, status: 'allowed', decision, by: 'test' } as const
    await deskSessions(this.supervisor).settle([{ sessionId, settled }])
  }

  async get(sessionId: string): Promise<Session> {
    const session = await this.store.sessions.get(sessionId)
    if (!session) throw new Error('no such session')
    return session
  }

  /** Waits until the session is no longer at work. */
  async settled(sessionId: string): Promise<Session> {
    const { doorbell, stop } = this.supervisor.doorbells.listen(sessionId)
    try {
      for (;;) {
        const session = await this.get(sessionId)
        if (session.status !== 'running' && session.status !== 'waiting') return session
        await doorbell.next(5_000)
      }
    } finally {
      stop()
    }
  }

  /** For the reader of a failed test; by then the store is closed. */
  report(): void {
    for (const line of [...this.#record, ...this.errors.map(String)]) process.stderr.write(`${line}\n`)
  }

  async clear(): Promise<void> {
    for (const id of this.#ids.slice(0, 5))
      this.#record.push(
        id,
        ...(await this.events(id)).slice(0, 200).map((event) => JSON.stringify(event).slice(0, 300)),
      )
    await this.#letGo()
    const left = (await this.store.runs.live()).map(({ sessionId }) => sessionId)
    await Promise.all(left.map((id) => endAll(() => processesOfSession(id))))
    await this.store.close()
  }

  async #letGo(): Promise<void> {
    await this.#app?.close({ endChildren: false })
    await this.#permit?.close()
  }
}

function isOfType<T extends Type>(event: SessionEvent, type: T): event is EventOf<T> {
  return event.type === type
}
