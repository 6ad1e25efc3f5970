/** One run of one client: a hub, sessions of the real CLI, a home for the client, and what the parent has seen. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { appendFile, mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { logs } from '../../scripts/client-packages.mjs'
import { say, tools, use } from '../../src/demo/scenario.ts'
import { programPath } from '../rig/tools/build-programs.ts'
import { hubHolder } from '../../src/hub/hub-lock.ts'
import { eventually } from '../rig/tools/eventually.ts'
import { type Hub, hubPlace, type HubPlace } from '../rig/hubs/hub.ts'
import type { Client, HowToRun, Run, Server, Stage, Transport } from './client.ts'
import type { Facts } from './judge.ts'
import { ALLOWED, CHILD_SAYS, DENIED, type Next, nextOf, type ToolResult, viewIn } from './parent.ts'

/** So long does the model of a session think while its hub is exchanged. */
const RESTART_MS = 4_000
/** A model takes its time over an error, and a client that reconnects by itself has it. */
const THINKING_MS = 1_000

/** What a parent has been given, and when. */
export class Parent {
  readonly #project: string
  readonly #nextHub: Promise<void>
  readonly results: ToolResult[] = []
  /** When the first result came that has this in it. */
  readonly seenAt = new Map<string, number>()
  /** The texts of forms that its person was given. */
  readonly forms: string[] = []

  constructor(project: string, nextHub: Promise<void>) {
    this.#project = project
    this.#nextHub = nextHub
  }

  /** Given everything that its tools have said so far. It thinks until the next hub is there, as long as that takes. */
  async next(results: readonly ToolResult[]): Promise<Next> {
    for (const result of results.slice(this.results.length)) {
      this.results.push(result)
      this.#see(result.text)
    }
    if (this.results.length > 0) await this.#nextHub
    const last = this.results.at(-1)
    if (last && !viewIn(last.text)) await pause(THINKING_MS)
    return nextOf(this.results, this.#project)
  }

  /** A person who allows what the parent would. */
  fillIn(form: string): { action: 'accept'; content: { decision: string } } {
    this.forms.push(form)
    this.#see(form)
    return { action: 'accept', content: { decision: form.includes(ALLOWED) ? 'allow' : 'deny' } }
  }

  #see(text: string): void {
    for (const command of [ALLOWED, DENIED])
      if (text.includes(command) && !this.seenAt.has(command)) this.seenAt.set(command, Date.now())
  }
}

export interface Setting {
  readonly client: Client
  readonly transport: Transport
  readonly run: Run
}

/** Everything for one run, and what it has come to so far. */
export async function setStage({ client, transport, run }: Setting): Promise<{
  stage: Stage
  /** Where the hub is ended in the middle of the wait: when the next one is there. */
  nextHub: Promise<void>
  facts: () => Facts
}> {
  let askedAt: number | undefined
  let steps = 0
  const place = await hubPlace({
    scenario: {
      main: () => {
        const delayMs = run === 'flow' || steps > 0 ? 0 : RESTART_MS
        askedAt ??= Date.now() + delayMs
        const commands = run === 'flow' ? [ALLOWED, DENIED] : [ALLOWED]
        const command = commands[steps++]
        if (command === undefined) return say(CHILD_SAYS)
        return { ...tools(use('Bash', { command })), delayMs }
      },
    },
  })
  const [home, cwd] = [join(place.folder, 'client-home'), join(place.folder, 'client-work')]
  for (const folder of [home, cwd]) await mkdir(folder)
  const hub = transport === 'HTTP' ? await place.start() : undefined
  if (!hub) place.startsHubs()
  const nextHub = run === 'flow' ? Promise.resolve() : restarted(place, hub, run)
  const parent = new Parent(place.project, nextHub)
  const note = await logFor(`${client.name}-${transport}-${run}`)
  const env = offlineFor(home)
  const program: Stage['program'] = (command, args, how = {}) =>
    ended(command, args, { ...how, cwd, env: { ...env, ...how.env }, note })
  return {
    stage: { place, server: serverOf(place, hub, client), parent, home, cwd, env, note, program },
    nextHub,
    facts: () => ({
      results: parent.results,
      forms: parent.forms,
      questionMs: since(askedAt, parent.seenAt.get(ALLOWED)),
      hasAllowed: existsSync(join(place.project, 'allowed')),
      hasDenied: existsSync(join(place.project, 'denied')),
    }),
  }
}

const since = (from: number | undefined, to: number | undefined): number | undefined =>
  from === undefined || to === undefined ? undefined : Math.max(0, to - from)

/** How a client reaches Plexus. One with forms has asked for them. */
function serverOf(place: HubPlace, hub: Hub | undefined, { hasForms }: Client): Server {
  if (hub)
    return {
      transport: 'HTTP',
      url: `${hub.url}/mcp${hasForms ? '?ask=both' : ''}`,
      headers: { Authorization: `Bearer ${hub.token}` },
    }
  return {
    transport: 'stdio',
    command: process.execPath,
    args: [programPath('plexus'), 'mcp', '--home', place.home, ...(hasForms ? ['--ask', 'both'] : [])],
    env: place.env,
  }
}

async function restarted(
  place: HubPlace,
  hub: Hub | undefined,
  signal: 'SIGTERM' | 'SIGKILL',
): Promise<void> {
  await place.model.request(({ kind }) => kind === 'main')
  const { pid, url } = hub ?? (await place.running()) ?? { pid: 0, url: '' }
  if (pid === 0) throw new Error('There is no hub to end.')
  process.kill(pid, signal)
  await eventually(async () => {
    if ((await hubHolder(place.home))?.pid === pid) throw new Error('The hub does not end.')
  })
  if (await place.launch('--port', new URL(url).port).ready) return
  // On stdio the client's own process may have been first.
  await eventually(async () => {
    if (!(await place.running())) throw new Error(`There is no next hub: ${place.stderr}`)
  })
}

/** Where a client has no namespace of its own, a proxy that is not there keeps it from the rest of the world. */
const offlineFor = (home: string): Record<string, string> => ({
  PATH: '/usr/bin:/bin',
  HOME: home,
  LANG: 'C.UTF-8',
  NO_COLOR: '1',
  CI: '1',
  DO_NOT_TRACK: '1',
  DISABLE_TELEMETRY: '1',
  HTTP_PROXY: 'http://127.0.0.1:9',
  HTTPS_PROXY: 'http://127.0.0.1:9',
  NO_PROXY: '127.0.0.1,localhost',
})

async function logFor(name: string): Promise<(text: string) => void> {
  await mkdir(logs, { recursive: true })
  const file = join(logs, `${name}.log`)
  await rm(file, { force: true })
  let last = Promise.resolve()
  return (text) => {
    last = last.then(() => appendFile(file, text))
  }
}

async function ended(
  command: string,
  args: readonly string[],
  how: HowToRun & { cwd: string; env: Record<string, string>; note: (text: string) => void },
): Promise<string> {
  const started = spawn(command, args, { cwd: how.cwd, env: how.env, stdio: 'pipe', detached: true })
  const closed = once(started, 'close')
  onTestFinished(async () => {
    endGroup(started.pid)
    await closed.catch(() => {})
  })
  started.stdin.on('error', () => {})
  started.stdin.end(how.input ?? '')
  let printed = ''
  started.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text
    how.note(text)
  })
  if (how.onLine) createInterface({ input: started.stdout }).on('line', how.onLine)
  started.stderr.setEncoding('utf8').on('data', how.note)
  await closed
  return printed
}

/** The client and whatever it has started, but nothing of anybody else. */
function endGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // it is gone
  }
}
