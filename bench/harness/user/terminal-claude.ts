import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { installedCli } from '../../../scripts/installed-cli.mjs'
import { offlineEnvironment } from '../../../src/demo/offline-environment.ts'
import { type Scenario, say, tools, use } from '../../../src/demo/scenario.ts'
import { startScriptedModel } from '../../../src/demo/scripted-model.ts'
import { applyChanges } from '../../../src/setup/files/file-change.ts'
import { planOn } from '../../../src/setup/terminals/plan-terminals.ts'
import { RELAY_SCRIPT } from '../../../src/setup/terminals/relay-script.ts'
import { openScreen } from './tmux-screen.ts'

/** From the Enter of a prompt until the dialog of its question is on the screen, in milliseconds. */
export type DialogTime = () => Promise<number>

const LIMIT_MS = 30_000

/** Each prompt is a word, and the command that is asked about makes a file of that name. */
export const TOUCHES: Scenario = {
  main: ({ toolResults, lastUserText }) =>
    toolResults.length > 0
      ? say('This turn has ended.')
      : tools(use('Bash', { command: `touch made-${lastUserText}`, description: 'make it' })),
}

/** Two real terminals with the CLI, one of which has the relay and a hub that holds its questions. */
export async function withTerminals<T>(work: (ours: DialogTime, bare: DialogTime) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'plexus-bench-'))
  const model = await startScriptedModel(TOUCHES)
  const held: ServerResponse[] = []
  const hub = createServer((request, response) => {
    request.resume()
    held.push(response)
  })
  const socket = join(folder, 'hub.sock')
  await new Promise<void>((resolve) => void hub.listen(socket, resolve))
  const terminals = [
    await openClaude(folder, model.url, socket),
    await openClaude(folder, model.url, undefined),
  ]
  try {
    const [ours, bare] = terminals.map((one) => async () => {
      const ms = await one.dialog()
      one.pressYes()
      await one.turnEnds()
      // What the relay waits for once the person has answered.
      for (const response of held.splice(0)) response.end('{}')
      return ms
    })
    if (!ours || !bare) throw new Error('There is no terminal.')
    return await work(ours, bare)
  } finally {
    for (const one of terminals) one.close()
    hub.closeAllConnections()
    hub.close()
    await model.close()
    await rm(folder, { recursive: true, maxRetries: 5 })
  }
}

export type Claude = Awaited<ReturnType<typeof openClaude>>

/** With a socket it has the relay. */
export async function openClaude(folder: string, modelUrl: string, socket: string | undefined) {
  const home = join(folder, socket === undefined ? 'bare' : 'ours')
  const [project, config, relay] = [
    join(home, 'work'),
    join(home, '.claude'),
    join(home, 'terminal-relay.sh'),
  ]
  await mkdir(project, { recursive: true })
  await mkdir(config)
  const known = {
    hasCompletedOnboarding: true,
    theme: 'dark',
    customApiKeyResponses: { approved: ['fake'], rejected: [] },
    projects: { [project]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true } },
  }
  await writeFile(join(config, '.claude.json'), JSON.stringify(known))
  await writeFile(relay, RELAY_SCRIPT)
  if (socket !== undefined)
    applyChanges(planOn(join(config, 'settings.json'), { relay, socket, curl: '/usr/bin/curl' }))
  const environment = offlineEnvironment('/usr/bin:/bin', home, modelUrl)
  const set = Object.entries({ ...environment, CLAUDE_CONFIG_DIR: config, TERM: 'screen', LANG: 'C.UTF-8' })
  const words = ['env', '-i', ...set.map(([name, value]) => `${name}=${value}`)]
  const cli = installedCli(process.cwd())
  if (cli === undefined) throw new Error('No Claude Code CLI is installed among the development packages.')
  const { press, shows, close } = openScreen({
    socket: join(home, 'tmux'),
    command: [...words, cli, '--permission-mode', 'default'],
    cwd: project,
  })
  await shows(/❯/)
  let round = 0
  return {
    dialog: async () => {
      round += 1
      press('-l', `n${round}`)
      await shows(new RegExp(`❯\\sn${round}\\s*$`, 'm'))
      const start = performance.now()
      press('Enter')
      await shows(new RegExp(`touch made-n${round}\\b[^]*Do you want to proceed`))
      return performance.now() - start
    },
    pressYes: () => press('1'),
    turnEnds: () => shows(new RegExp(`touch made-n${round}\\b[^]*This turn has ended`)),
    /** Resolves when the tool of this turn has run. */
    toolRuns: async () => {
      const file = join(project, `made-n${round}`)
      for (const deadline = performance.now() + LIMIT_MS; !existsSync(file);) {
        if (performance.now() > deadline) throw new Error(`The tool did not make ${file}.`)
        await setTimeout(1)
      }
    },
    close,
  }
}
