import { randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, readFile, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { childArgs } from '../child/child-args.ts'
import { childEnvironment } from '../child/child-environment.ts'
import { parseLine } from '../child/child-line.ts'
import type { Child } from '../child/child-process.ts'
import { childSettings } from '../child/child-settings.ts'
import { initialize } from '../child/control.ts'
import { findCli } from '../child/find-cli.ts'
import { hookOpinion } from '../child/hook-opinion.ts'
import { eventsOf } from '../child/line-to-events.ts'
import { Deliveries } from '../child/owed.ts'
import { initialRunState, pendingApprovals } from '../child/run-state.ts'
import { startChild } from '../child/start-child.ts'
import { StartOptions } from '../child/start-options.ts'
import { takeIn } from '../child/take-in.ts'
import { offlineEnvironment } from '../demo/offline-environment.ts'
import { say, tools, use } from '../demo/scenario.ts'
import { startScriptedModel } from '../demo/scripted-model.ts'
import type { Decision, EventOf, SessionEvent } from '../events/session-event.ts'

const scenario = {
  main: [
    tools(
      { type: 'text', text: 'I will write a greeting.' },
      use('Bash', { command: 'echo hello > greeting.txt' }),
    ),
    say('The greeting is written.'),
  ],
}

/** One supervised turn of the real CLI against the scripted model: no account, nothing leaves this machine. */
export async function demo(env: Readonly<Record<string, string | undefined>>): Promise<void> {
  const cli = await findCli(env)
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'plexus-demo-')))
  const [project, home] = [join(folder, 'project'), join(folder, 'home')]
  for (const path of [project, home]) await mkdir(path, { mode: 0o700 })
  const model = await startScriptedModel(scenario)
  const sessionId = randomUUID()
  const options = StartOptions.parse({ workingDirectory: project })
  tell(`Claude Code ${cli.version} starts in an empty folder and is told to write a greeting.`)
  const child = await startChild({
    sessionId,
    runPath: join(home, 'run'),
    cli: cli.path,
    args: childArgs(options, { kind: 'new', sessionId, settings: childSettings(home), trusted: false }),
    env: childEnvironment(offlineEnvironment(env['PATH'] ?? '', folder, model.url), { sessionId }),
    workingDirectory: project,
    leaseSeconds: LEASE_SECONDS,
    messages: [initialize(LEASE_SECONDS)],
  })
  try {
    const policy = {
      supervise: options.supervise,
      folders: [project],
      plexusHome: home,
      cliVersion: cli.version,
    }
    await oneTurn(child, { sessionId, opinion: (call) => hookOpinion(policy, call) })
    const written = await readFile(join(project, 'greeting.txt'), 'utf8').catch(() => 'nothing')
    tell(`In greeting.txt: ${written.trim()}`)
  } finally {
    await child.stop()
    child.close()
    await model.close()
    await rm(folder, { recursive: true, force: true })
  }
}

async function oneTurn(child: Child, context: Parameters<typeof eventsOf>[1]): Promise<void> {
  const deliveries = new Deliveries((message) => child.put(message))
  let state = initialRunState
  const take = async (events: readonly SessionEvent[]) => {
    const taken = takeIn(state, events)
    state = taken.state
    for (const event of taken.events) report(event)
    await deliveries.deliver(state)
  }
  await take([{ type: 'prompt.accepted', promptId: randomUUID(), content: 'Write a greeting.' }])
  for await (const { lines } of child.read(0)) {
    const events = lines.flatMap((line) => eventsOf(parseLine(line), context))
    await take(events)
    for (const opened of pendingApprovals(state)) {
      const decision = await decide(opened)
      const status = decision.behavior === 'deny' ? 'denied' : 'allowed'
      await take([{ type: 'approval.settled', approvalId: opened.approvalId, status, decision, by: 'you' }])
    }
    if (events.some(({ type }) => type === 'turn.ended')) return
  }
}

/** On a terminal the person decides; elsewhere (a pipe, a test) the demo says yes and tells so. */
async function decide({ toolName, input }: EventOf<'approval.opened'>): Promise<Decision> {
  tell(`It asks to use ${toolName}: ${JSON.stringify(input['command'])}`)
  if (!process.stdin.isTTY) {
    tell('Nobody is at a terminal, so the demo allows it.')
    return { behavior: 'allow', updatedInput: input }
  }
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  const answer = await terminal.question('Allow it? [y/n] ').finally(() => terminal.close())
  if (/^y(es)?$/i.test(answer.trim())) return { behavior: 'allow', updatedInput: input }
  return { behavior: 'deny', message: 'The person at the terminal said no.' }
}

function report(event: SessionEvent): void {
  if (event.type === 'text') tell(`It says: ${event.text}`)
  if (event.type === 'tool.seen') tell(`Plexus sees ${event.toolName} before it runs.`)
  if (event.type === 'turn.ended') tell(`The turn ended: ${event.outcome}.`)
}

function tell(line: string): void {
  process.stdout.write(`${line}\n`)
}

const LEASE_SECONDS = 60
