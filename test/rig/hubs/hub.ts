/** `plexus serve` as its users run it: a process of its own, in a home folder that is removed with the test. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { onTestFailed, onTestFinished } from 'vitest'
import { isAlive } from '../../../src/system/process-identity.ts'
import { endAll, findMarked } from '../../../src/system/process-tree.ts'
import type { Scenario } from '../../../src/demo/scenario.ts'
import { type ScriptedModel, startScriptedModel } from '../../../src/demo/scripted-model.ts'
import { hubHolder } from '../../../src/hub/hub-lock.ts'
import { readHubRecord } from '../../../src/hub/hub-record.ts'
import { programPath } from '../tools/build-programs.ts'
import { eventually } from '../tools/eventually.ts'
import { cleanEnvironment, cliPath, temporaryFolder } from '../cli/real-cli.ts'
import { tokensIn } from '../tools/token-scan.ts'

export interface Ready {
  readonly url: string
  readonly pid: number
  readonly socket: string
  readonly tokenFile: string
}

export interface HubSetting {
  readonly scenario?: Scenario
  readonly env?: Record<string, string>
}

/** A home, a project and a model to start hubs with. */
export async function hubPlace({ scenario = { main: [] }, env = {} }: HubSetting = {}): Promise<HubPlace> {
  const folder = await temporaryFolder()
  await mkdir(join(folder, 'project'))
  const model = await startScriptedModel(scenario)
  const place = new HubPlace(folder, model, env)
  onTestFinished(async () => {
    await place.clear()
    await model.close()
    const printed = await tokensIn(place.home, place.stderr + place.stdout)
    if (printed.length > 0) throw new Error('S11: the hub has printed a token.')
  })
  onTestFailed(() => void process.stderr.write(place.stderr))
  return place
}

export class HubPlace {
  readonly folder: string
  readonly model: ScriptedModel
  readonly env: Record<string, string>
  /** The file that Node runs as `plexus` here: the program of today, until a test says otherwise. */
  program = programPath('plexus')
  /** What all hubs of this place have said. */
  stderr = ''
  stdout = ''
  readonly #processes: ChildProcess[] = []
  #endsHubs = false

  constructor(folder: string, model: ScriptedModel, env: Record<string, string>) {
    this.folder = folder
    this.model = model
    // Any free port: the usual one is for a person's hub.
    const ours = { CLAUDE_CODE_PATH: cliPath(), PLEXUS_PORT: '0' }
    this.env = { ...cleanEnvironment(folder, model.url), ...ours, ...env }
  }

  get home(): string {
    return join(this.folder, 'home')
  }

  get project(): string {
    return join(this.folder, 'project')
  }

  async token(): Promise<string> {
    return (await readFile(join(this.home, 'operator.token'), 'utf8')).trim()
  }

  /** Starts one and does not wait for anything. */
  launch(...args: string[]): HubProcess {
    const all = ['serve', '--port', '0', '--home', this.home, '--json', ...args]
    const started = spawn(process.execPath, [this.program, ...all], {
      env: this.env,
      cwd: this.folder,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.#processes.push(started)
    started.stderr.setEncoding('utf8').on('data', (text: string) => (this.stderr += text))
    started.stdout.setEncoding('utf8').on('data', (text: string) => (this.stdout += text))
    return new HubProcess(started)
  }

  /** Starts one and waits until it is ready. */
  async start(...args: string[]): Promise<Hub> {
    const launched = this.launch(...args)
    const ready = await launched.ready
    if (!ready) throw new Error(`The hub did not start: ${this.stderr}`)
    return new Hub(launched, ready, await this.token())
  }

  /** The hub that runs here, whoever started it. */
  async running(): Promise<{ pid: number; url: string; version: string } | undefined> {
    const [holder, record] = [await hubHolder(this.home), await readHubRecord(this.home)]
    return record && holder?.pid === record.pid ? record : undefined
  }

  /** Whoever is started here may start a hub in the background: it ends with the test too. */
  startsHubs(): void {
    if (this.#endsHubs) return
    this.#endsHubs = true
    onTestFinished(async () => {
      for (let holder = await hubHolder(this.home); holder; holder = await hubHolder(this.home)) {
        process.kill(holder.pid, 'SIGKILL')
        const one = holder
        await eventually(async () => {
          if (await isAlive(one)) throw new Error('The hub does not end.')
        })
      }
      this.stderr += await readFile(join(this.home, 'hub.log'), 'utf8').catch(() => '')
    })
  }

  async clear(): Promise<void> {
    for (const started of this.#processes) {
      if (started.exitCode !== null || started.signalCode !== null) continue
      started.kill('SIGKILL')
      await once(started, 'close')
    }
    // Also those that nobody here has started: they have spoken to the model.
    const spoken = this.model.requests.flatMap(({ sessionId }) => sessionId ?? [])
    for (const id of new Set([...this.sessions, ...spoken])) {
      await endAll(findMarked(id))
      await endAll(findMarked(id, 'CLAUDE_CODE_SESSION_ID'))
    }
  }

  /** Sessions whose processes end with the test. */
  readonly sessions = new Set<string>()
}

export class HubProcess {
  readonly process: ChildProcess
  /** Undefined when it ended before. */
  readonly ready: Promise<Ready | undefined>
  /** Its exit code, or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals | null>

  constructor(started: ChildProcess) {
    this.process = started
    this.ended = new Promise((resolve) => {
      started.once('close', (code, signal) => resolve(signal ?? code))
    })
    this.ready = new Promise((resolve) => {
      if (started.stdout)
        createInterface({ input: started.stdout }).once('line', (line) => resolve(JSON.parse(line) as Ready))
      started.once('close', () => resolve(undefined))
    })
  }
}

export class Hub implements Ready {
  readonly url: string
  readonly pid: number
  readonly socket: string
  readonly tokenFile: string
  readonly token: string
  readonly ended: HubProcess['ended']
  readonly #process: ChildProcess

  constructor({ process, ended }: HubProcess, ready: Ready, token: string) {
    this.url = ready.url
    this.pid = ready.pid
    this.socket = ready.socket
    this.tokenFile = ready.tokenFile
    this.token = token
    this.ended = ended
    this.#process = process
  }

  get port(): number {
    return Number(new URL(this.url).port)
  }

  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<number | NodeJS.Signals | null> {
    this.#process.kill(signal)
    return this.ended
  }

  signal(signal: NodeJS.Signals): void {
    this.#process.kill(signal)
  }

  /** The result of one call; an error of the hub is thrown with its data. */
  async call<T>(method: string, params: object = {}, headers: Record<string, string> = {}): Promise<T> {
    const response = await fetch(`${this.url}/rpc`, {
      method: 'POST',
      headers: { authorization: `Bearer ${this.token}`, 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    })
    const reply = (await response.json()) as { result: T; error?: { message: string; data: object } }
    if (reply.error) throw Object.assign(new Error(reply.error.message), reply.error.data)
    return reply.result
  }
}
