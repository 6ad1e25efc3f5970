/** A session under the supervisor program of test/programs, which a test may kill and start again. */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { onTestFailed, onTestFinished } from 'vitest'
import { parseLine } from '../../../src/child/lines/child-line.ts'
import { NO_OPINION } from '../../../src/child/policy/hook-opinion.ts'
import { eventsOf } from '../../../src/child/lines/line-to-events.ts'
import { coalesced } from '../../../src/sessions/writing/coalesce-text.ts'
import { LineSplitter } from '../../../src/text/line-splitter.ts'
import { endAll, processesOfSession } from '../../../src/system/process-tree.ts'
import { type RunFolder, runFolderAt } from '../../../src/child/process/run-folder.ts'
import { evolve, initialRunState, pendingApprovals } from '../../../src/child/state/run-state.ts'
import { StartOptions } from '../../../src/child/launch/start-options.ts'
import type { Scenario } from '../../../src/demo/scenario.ts'
import { type ScriptedModel, startScriptedModel } from '../../../src/demo/scripted-model.ts'
import type { Decision } from '../../../src/events/decision.ts'
import type { EventOf, SessionEvent } from '../../../src/events/session-event.ts'
import type { Said, Utterance } from '../../../src/sessions/launch/prompt-kinds.ts'
import type { Command, Crash, Spec } from '../../programs/supervisor.ts'
import { programPath } from '../tools/build-programs.ts'
import { cleanEnvironment, cliPath, cliVersion, temporaryFolder } from '../cli/real-cli.ts'

type Type = SessionEvent['type']

export interface SupervisedOptions {
  /** Some tools want absolute paths, so it may depend on the working directory. */
  readonly scenario?: Scenario | ((project: string) => Scenario)
  readonly prompt?: Utterance
  readonly options?: Partial<StartOptions>
  readonly answer?: Spec['answer']
  readonly leaseSeconds?: number
  readonly crash?: Crash
  readonly trusted?: boolean
  /** Where PLEXUS_HOME is, below the test's folder. The working directory is `project`. */
  readonly home?: string
  /** Makes files in the working directory before the start. */
  readonly prepare?: (project: string, configFolder: string) => Promise<void>
  /** More of the hub's own environment. */
  readonly env?: Readonly<Record<string, string>>
  /** Steps for the scripted child, in place of the real CLI. */
  readonly script?: readonly Record<string, unknown>[]
}

/** Starts a session with the real CLI (or a scripted child) in an environment of its own. */
export async function supervise(setting: SupervisedOptions): Promise<Supervised> {
  const folder = await temporaryFolder()
  const project = join(folder, 'project')
  const plexusHome = join(folder, setting.home ?? 'plexus-home')
  const journal = join(folder, 'supervisor')
  for (const path of [project, plexusHome, journal]) await mkdir(path, { recursive: true })
  const { scenario = { main: [] } } = setting
  const model = await startScriptedModel(typeof scenario === 'function' ? scenario(project) : scenario)
  onTestFinished(() => model.close())
  const base = cleanEnvironment(folder, model.url)
  await setting.prepare?.(project, base['CLAUDE_CONFIG_DIR'] ?? '')
  const sessionId = randomUUID()
  const options = StartOptions.parse({ workingDirectory: project, ...setting.options })
  const scripted = await scriptedChild(folder, setting.script)
  const spec: Spec = {
    sessionId,
    cli: scripted?.cli ?? cliPath(),
    cliVersion: cliVersion(),
    options,
    env: { ...base, ...scripted?.env, ...setting.env },
    plexusHome,
    trusted: setting.trusted ? [project] : [],
    leaseSeconds: setting.leaseSeconds ?? 600,
    answer: setting.answer ?? 'hold',
    prompt: setting.prompt ?? 'go',
  }
  const supervised = new Supervised(spec, journal, model)
  onTestFailed(() => supervised.report())
  onTestFinished(() => supervised.clear())
  await supervised.start(setting.crash ? { crash: setting.crash } : {})
  return supervised
}

async function scriptedChild(folder: string, steps: SupervisedOptions['script']) {
  if (!steps) return undefined
  const script = join(folder, 'script.json')
  await writeFile(script, JSON.stringify(steps))
  const cli = join(import.meta.dirname, '../../fixtures/scripted-child.mjs')
  return { cli, env: { SCRIPT: script, PATH: process.env['PATH'] ?? '' } }
}

/** The folder of a question is not in the line that asks it: it is known from the hook's. */
function withoutFolder(event: SessionEvent): SessionEvent {
  if (event.type !== 'approval.opened') return event
  const { cwd: _, ...asked } = event
  return asked
}

export class Supervised {
  readonly spec: Spec
  readonly model: ScriptedModel
  /** All events on record, of every life of the supervisor. */
  events: SessionEvent[] = []
  readonly #answers = new Map<number, unknown>()
  #commands = 0
  readonly #folder: string
  readonly #bell = new EventEmitter()
  #process: ChildProcess | undefined

  constructor(spec: Spec, folder: string, model: ScriptedModel) {
    this.spec = spec
    this.#folder = folder
    this.model = model
  }

  get project(): string {
    return this.spec.options.workingDirectory ?? ''
  }

  /** The database of the supervisor. */
  get database(): string {
    return join(this.#folder, 'plexus.db')
  }

  /** The first run's folder. */
  get run(): RunFolder {
    const { runId = '' } = this.all('run.started')[0] ?? {}
    return runFolderAt(join(this.spec.plexusHome, 'runs', runId))
  }

  /** Starts the supervisor, for the first time or again; what it finds on record it prints again. */
  async start(change: Partial<Spec> = {}): Promise<void> {
    await writeFile(join(this.#folder, 'spec.json'), JSON.stringify({ ...this.spec, ...change }))
    this.events = []
    const started = spawn(process.execPath, [programPath('supervisor'), this.#folder], {
      stdio: ['pipe', 'pipe', 'inherit'],
    })
    this.#process = started
    createInterface({ input: started.stdout }).on('line', (line) => {
      if (!line.endsWith('}')) return // cut off by its end
      const message = JSON.parse(line) as {
        seq?: number
        event?: SessionEvent
        id?: number
        answer?: unknown
      }
      if (message.event && message.seq) this.events[message.seq - 1] = message.event
      if (message.id !== undefined) this.#answers.set(message.id, message.answer)
      this.#bell.emit('ring')
    })
    started.on('close', () => this.#bell.emit('ring'))
  }

  /** SIGKILL, as a crash of the hub would be. */
  async kill(): Promise<void> {
    this.#process?.kill('SIGKILL')
    await this.ended()
  }

  /** Waits until the supervisor itself is gone, by a crash switch or because its child has ended. */
  async ended(): Promise<number | NodeJS.Signals | null> {
    const process = this.#process
    if (process && process.exitCode === null && process.signalCode === null) await once(process, 'close')
    return process?.signalCode ?? process?.exitCode ?? null
  }

  /** Sends a command and does not wait for what comes of it. */
  async command(command: Command): Promise<number> {
    this.#commands += 1
    this.#process?.stdin?.write(`${JSON.stringify({ id: this.#commands, command })}\n`)
    return this.#commands
  }

  async say(said: Utterance): Promise<Said> {
    return (await this.#answerTo({ say: said })) as Said
  }

  /** Asks the child by a control request and returns its answer. */
  async control(control: Extract<Command, { control: unknown }>['control']): Promise<unknown> {
    return this.#answerTo({ control })
  }

  async stop(): Promise<void> {
    await this.#answerTo({ stop: true })
  }

  /** The n-th event of a type (that matches), on record already or still to come. */
  async event<T extends Type>(
    type: T,
    nth = 1,
    matches: (event: EventOf<T>) => boolean = () => true,
  ): Promise<EventOf<T>> {
    return this.#until(() => this.all(type).filter(matches)[nth - 1], `${nth} × ${type}`)
  }

  all<T extends Type>(type: T): EventOf<T>[] {
    return this.events.filter((event): event is EventOf<T> => event?.type === type)
  }

  /** The approvals that the record leaves open. */
  pending(): EventOf<'approval.opened'>[] {
    return pendingApprovals(this.events.reduce(evolve, initialRunState))
  }

  async allow(opened: EventOf<'approval.opened'>, updatedInput = opened.input): Promise<void> {
    await this.settle(opened, { behavior: 'allow', updatedInput })
  }

  async deny(opened: EventOf<'approval.opened'>, message = 'no'): Promise<void> {
    await this.settle(opened, { behavior: 'deny', message })
  }

  async settle(opened: EventOf<'approval.opened'>, decision: Decision): Promise<void> {
    await this.command({ settle: opened.approvalId, decision })
  }

  /** What the child's whole output says in one go: the record must say the same, whatever happened in between. */
  async eventsOfOutput(): Promise<SessionEvent[]> {
    const splitter = new LineSplitter()
    const lines = splitter.push(await readFile(this.run.stdout))
    const context = { sessionId: this.spec.sessionId, opinion: () => NO_OPINION }
    return coalesced(
      lines.flatMap((line) => eventsOf(parseLine(line), context)),
      Infinity,
    )
  }

  /** The events on record that came from the child's output and were not made by the supervisor. */
  recordOfOutput(): SessionEvent[] {
    const own: readonly Type[] = [
      'run.started',
      'run.ended',
      'prompt.accepted',
      'approval.settled',
      'tool.unasked',
    ]
    return coalesced(this.events.filter(({ type }) => !own.includes(type)).map(withoutFolder), Infinity)
  }

  /** For the reader of a failed test. */
  async report(): Promise<void> {
    const stderr = await readFile(this.run.stderr, 'utf8').catch(() => '')
    const output = await readFile(this.run.stdout, 'utf8').catch(() => '')
    const lines = [
      ...this.events.map((event) => JSON.stringify(event)),
      `stderr: ${stderr}`,
      ...output.split('\n').slice(-6),
    ]
    process.stderr.write(`${lines.map((line) => line.slice(0, 400)).join('\n')}\n`)
  }

  async clear(): Promise<void> {
    await this.kill()
    await endAll(() => processesOfSession(this.spec.sessionId))
  }

  async #answerTo(command: Command): Promise<unknown> {
    const id = await this.command(command)
    await this.#until(() => this.#answers.has(id) || undefined, 'an answer')
    return this.#answers.get(id)
  }

  async #until<T>(find: () => T | undefined, what: string): Promise<T> {
    for (;;) {
      const found = find()
      if (found !== undefined) return found
      const process = this.#process
      if (process?.exitCode !== null || process.signalCode !== null)
        throw new Error(
          `The supervisor ended before ${what}. On record: ${JSON.stringify(this.events, null, 1)}`,
        )
      await once(this.#bell, 'ring')
    }
  }
}
