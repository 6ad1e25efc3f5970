import { mkdir, mkdtemp, readFile, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { createApp } from '../assembly/app.ts'
import { findCli } from '../child/launch/find-cli.ts'
import { StartOptions } from '../child/launch/start-options.ts'
import { offlineEnvironment } from '../demo/offline-environment.ts'
import { say, tools, use } from '../demo/scenario.ts'
import { startScriptedModel } from '../demo/scripted-model.ts'
import type { Engine, CallContext } from '../engine/engine.ts'
import type { EventOf, SessionEvent } from '../events/session-event.ts'
import { openMemoryStore } from '../store/memory/open.ts'
import { callerIdOf } from '../callers/caller.ts'

const scenario = {
  main: [
    tools(
      { type: 'text', text: 'I will write a greeting.' },
      use('Bash', { command: 'echo hello > greeting.txt' }),
    ),
    say('The greeting is written.'),
  ],
}
const you: CallContext = {
  caller: { id: callerIdOf('operator', 'you'), kind: 'operator', name: 'you', scopes: [], person: true },
}

/** One supervised turn of the real CLI against the scripted model: no account, nothing leaves this machine. */
export async function demo(env: Readonly<Record<string, string | undefined>>): Promise<void> {
  const cli = await findCli(env)
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'plexus-demo-')))
  const [project, home] = [join(folder, 'project'), join(folder, 'home')]
  for (const path of [project, home]) await mkdir(path, { mode: 0o700 })
  const model = await startScriptedModel(scenario)
  const app = await createApp({
    store: await openMemoryStore(),
    limits: { maxSessions: 1, idleMs: 600_000, maxOutputBytes: 64 << 20 },
    environment: {
      home,
      env: offlineEnvironment(env['PATH'] ?? '', folder, model.url),
      leaseSeconds: 60,
      trusted: () => [],
      findCli: async () => cli,
      transcriptOf: async () => undefined,
      openElsewhere: async () => undefined,
      onError: (error) => print(`Something went wrong: ${String(error)}`),
    },
  })
  try {
    print(`Claude Code ${cli.version} starts in an empty folder, with the prompt to write a greeting.`)
    await oneTurn(app.engine, project)
    const written = await readFile(join(project, 'greeting.txt'), 'utf8').catch(() => 'nothing')
    print(`In greeting.txt: ${written.trim()}`)
  } finally {
    await app.close({ endChildren: true })
    await model.close()
    await rm(folder, { recursive: true, force: true })
  }
}

async function oneTurn(engine: Engine, workingDirectory: string): Promise<void> {
  const options = StartOptions.parse({ workingDirectory })
  const { id: sessionId } = await engine.createSession(you, { options })
  await engine.startTurn(you, { sessionId, content: 'Write a greeting.' })
  for await (const { events } of engine.followEvents(you, { sessionId, after: 0 })) {
    for (const { event } of events) {
      printEvent(event)
      if (event.type === 'approval.opened') {
        const answers = [(await isAllowed(event)) ? 'allow' : 'deny']
        await engine.answer(you, { approvalId: event.approvalId, answers })
      }
      if (event.type === 'turn.ended') return
    }
  }
}

/** On a terminal the person decides; otherwise (a pipe, a test) the demo allows it and prints that it does. */
async function isAllowed({ toolName, input }: EventOf<'approval.opened'>): Promise<boolean> {
  print(`It asks to use ${toolName}: ${JSON.stringify(input['command'])}`)
  if (!process.stdin.isTTY) {
    print('Nobody is at a terminal, so the demo allows it.')
    return true
  }
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  const answer = await terminal.question('Allow it? [y/n] ').finally(() => terminal.close())
  return /^y(es)?$/i.test(answer.trim())
}

function printEvent(event: SessionEvent): void {
  if (event.type === 'text') print(`It says: ${event.text}`)
  if (event.type === 'tool.seen') print(`Plexus sees ${event.toolName} before it runs.`)
  if (event.type === 'turn.ended') print(`The turn ended: ${event.outcome}.`)
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
