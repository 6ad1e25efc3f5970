/** Terminals on paper, in the process of the test: a process that lives, and the file in which a CLI would say what it does. */
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { type App, createApp } from '../../../src/assembly/app.ts'
import { followTerminals, type Terminals } from '../../../src/engine/terminals/follow-terminals.ts'
import type { Caller } from '../../../src/callers/access-rules.ts'
import type { PendingQuestion } from '../../../src/engine/engine.ts'
import type { HookReply } from '../../../src/engine/terminals/hook-question.ts'
import { NO_RULES, parseRules } from '../../../src/rules/rules-file.ts'
import type { Session } from '../../../src/sessions/record/session.ts'
import type { Store } from '../../../src/sessions/record/store.ts'
import { openMemoryStore } from '../../../src/store/memory/open.ts'
import type { TerminalStatus } from '../../../src/terminals/status-files.ts'
import { CALLERS } from '../clients/family.ts'
import { temporaryFolder } from '../cli/real-cli.ts'
import { eventually } from '../tools/eventually.ts'

interface Setting {
  readonly store?: Store
  /** The text of rules.json. */
  readonly rules?: object
}

export async function paperTerminals({ store, rules }: Setting = {}): Promise<PaperTerminals> {
  const folder = await temporaryFolder()
  for (const name of ['home', 'project', 'config', 'config/sessions', 'config/projects'])
    await mkdir(join(folder, name))
  const place = new PaperTerminals(folder, store ?? (await openMemoryStore()), rules)
  await place.open()
  return place
}

export class PaperTerminals {
  readonly folder: string
  readonly store: Store
  readonly errors: unknown[] = []
  readonly #rules: object | undefined
  #life: { readonly app: App; readonly terminals: Terminals } | undefined

  constructor(folder: string, store: Store, rules: object | undefined) {
    this.folder = folder
    this.store = store
    this.#rules = rules
  }

  /** A hub, in place of the one before. */
  async open(): Promise<void> {
    const home = join(this.folder, 'home')
    const onError = (error: unknown) => void this.errors.push(error)
    const rules = this.#rules ? parseRules(JSON.stringify(this.#rules)) : NO_RULES
    const app = await createApp({
      store: this.store,
      limits: { maxSessions: 10, idleMs: 600_000, maxOutputBytes: 64 << 20 },
      environment: {
        home,
        env: { HOME: home, CLAUDE_CONFIG_DIR: join(this.folder, 'config') },
        leaseSeconds: 600,
        trusted: () => [],
        rules: () => ({ rules }),
        findCli: async () => ({ path: '/usr/bin/claude', version: '2.1.197' }),
        transcriptOf: async () => undefined,
        openElsewhere: async () => undefined,
        onError,
      },
    })
    const { supervisor } = app
    const terminals = followTerminals({
      store: this.store,
      supervisor,
      configFolder: join(this.folder, 'config'),
      onError,
    })
    const life = { app, terminals }
    this.#life = life
    onTestFinished(() => this.close(life))
  }

  /** As when the hub is stopped, or replaced. */
  async close(life = this.#life): Promise<void> {
    if (this.#life === life) this.#life = undefined
    life?.terminals.close()
    await life?.app.close({ endChildren: false })
  }

  get app(): App {
    if (!this.#life) throw new Error('There is no hub now.')
    return this.#life.app
  }

  /** A CLI in a terminal. */
  async terminal(fields: Partial<TerminalStatus> = {}): Promise<PaperTerminal> {
    const child = spawn('sleep', ['600'])
    onTestFinished(() => void child.kill('SIGKILL'))
    const { pid = 0 } = child
    const terminal = new PaperTerminal(this, child, {
      pid,
      sessionId: randomUUID(),
      cwd: join(this.folder, 'project'),
      version: '2.1.197',
      status: 'idle',
      statusUpdatedAt: Date.now(),
      kind: 'interactive',
      configDir: join(this.folder, 'config'),
      ...fields,
    })
    await terminal.says({})
    return terminal
  }

  async ask(asked: Parameters<Terminals['asks']['ask']>[0], gone: AbortSignal) {
    if (!this.#life) throw new Error('There is no hub now.')
    return this.#life.terminals.asks.ask(asked, gone)
  }

  pending(caller: Caller = CALLERS.operator): Promise<PendingQuestion[]> {
    return this.app.engine.pending({ caller }, {})
  }

  /** The only question, once there is one. */
  theQuestion(): Promise<PendingQuestion> {
    return eventually(async () => {
      const [asked, ...others] = await this.pending()
      if (!asked || others.length > 0) throw new Error('There is not one question.')
      return asked
    })
  }

  /** The session once it is so. */
  session(id: string, isSo: (session: Session) => boolean): Promise<Session> {
    return eventually(async () => {
      const session = await this.store.sessions.get(id)
      if (!session || !isSo(session)) throw new Error(`It is not so: ${JSON.stringify(session)}`)
      return session
    })
  }
}

export class PaperTerminal {
  readonly #place: PaperTerminals
  readonly #process: ReturnType<typeof spawn>
  #status: TerminalStatus

  constructor(place: PaperTerminals, process: ReturnType<typeof spawn>, status: TerminalStatus) {
    this.#place = place
    this.#process = process
    this.#status = status
  }

  get pid(): number {
    return this.#status.pid
  }

  get sessionId(): string {
    return this.#status.sessionId
  }

  get #file(): string {
    return join(this.#status.configDir, 'sessions', `${this.pid}.json`)
  }

  get transcript(): string {
    return join(this.#status.configDir, 'projects', 'project', `${this.sessionId}.jsonl`)
  }

  /** Its status is this from now on. */
  async says(fields: Partial<TerminalStatus>): Promise<void> {
    const statusUpdatedAt = Math.max(Date.now(), this.#status.statusUpdatedAt + 1)
    this.#status = { ...this.#status, statusUpdatedAt, ...fields }
    await writeFile(this.#file, JSON.stringify(this.#status))
  }

  /** Its dialog is on the screen. */
  async waits(): Promise<void> {
    await this.says({ status: 'waiting', waitingFor: 'permission prompt' })
  }

  /** Its relay asks. */
  asks(
    fields: { readonly askId?: string; readonly gone?: AbortSignal } & Readonly<Record<string, unknown>> = {},
  ) {
    const { askId = randomUUID(), gone = new AbortController().signal, ...rest } = fields
    const hookInput = {
      hook_event_name: 'PermissionRequest',
      session_id: this.sessionId,
      transcript_path: this.transcript,
      cwd: this.#status.cwd,
      tool_name: 'Bash',
      tool_input: { command: 'mkdir made-here' },
      ...rest,
    }
    return this.#place.ask({ hookInput, cliPid: this.pid, askId }, gone)
  }

  /** Waits with its dialog, and asks. */
  async asksWaiting(fields: Parameters<PaperTerminal['asks']>[0] = {}): Promise<{
    readonly reply: Promise<HookReply | undefined>
  }> {
    await this.waits()
    return { reply: this.asks(fields) }
  }

  async writesTranscript(lines: readonly object[]): Promise<void> {
    await mkdir(join(this.#status.configDir, 'projects', 'project'), { recursive: true })
    await writeFile(this.transcript, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  }

  /** As when it is killed; `cleanly` it removes its file. */
  async ends({ cleanly = false } = {}): Promise<void> {
    this.#process.kill('SIGKILL')
    await once(this.#process, 'exit')
    if (cleanly) await rm(this.#file)
  }
}
