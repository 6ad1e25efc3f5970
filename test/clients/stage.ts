/** One run of one client: a hub, sessions of the real CLI, a home for the client, and what the parent has seen. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { say, tools, use } from '../../src/demo/scenario.ts'
import { programPath } from '../rig/tools/build-programs.ts'
import { hubHolder } from '../../src/hub/hub-lock.ts'
import { eventually } from '../rig/tools/eventually.ts'
import { type Hub, hubPlace, type HubPlace } from '../rig/hubs/hub.ts'
import { clientPlace } from './client-place.ts'
import type { Client, Run, Server, Stage, Transport } from './client.ts'
import type { Facts } from './judge.ts'
import {
  ALLOWED,
  CHILD_SAYS,
  DENIED,
  type Next,
  nextOf,
  type Plan,
  type ToolResult,
  viewIn,
} from './parent.ts'

/** So long does the model of a session think while its hub is exchanged. */
const RESTART_MS = 4_000
/** A model takes its time over an error, and a client that reconnects by itself has it. */
const THINKING_MS = 1_000

/** What a parent has been given, and when. */
export class Parent {
  readonly #plan: Plan
  readonly #nextHub: Promise<void>
  readonly results: ToolResult[] = []
  /** When the first result came that has this in it. */
  readonly seenAt = new Map<string, number>()
  /** The texts of forms that its person was given. */
  readonly forms: string[] = []

  constructor(plan: Plan, nextHub: Promise<void> = Promise.resolve()) {
    this.#plan = plan
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
    return this.#plan(this.results)
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
  const hub = transport === 'HTTP' ? await place.start() : undefined
  if (!hub) place.startsHubs()
  const nextHub = run === 'flow' ? Promise.resolve() : restarted(place, hub, run)
  const parent = new Parent((results) => nextOf(results, place.project), nextHub)
  const own = await clientPlace(place.folder, `${client.name}-${transport}-${run}`)
  return {
    stage: { ...own, place, server: serverOf(place, hub, client), parent, runsCommands: false },
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
export function serverOf(place: HubPlace, hub: Hub | undefined, { hasForms }: Client): Server {
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
