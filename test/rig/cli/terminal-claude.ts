/** The real interactive CLI in a real terminal, with the relay in its settings, and a small hub that the test answers for. */
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { createServer, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import type { Scenario } from '../../../src/demo/scenario.ts'
import { startScriptedModel } from '../../../src/demo/scripted-model.ts'
import { applyChanges } from '../../../src/setup/files/file-change.ts'
import { planOn } from '../../../src/setup/terminals/plan-terminals.ts'
import { RELAY_SCRIPT } from '../../../src/setup/terminals/relay-script.ts'
import { pathsOf } from '../../../src/setup/terminals/terminals-state.ts'
import { openTerminal } from '../tools/terminal.ts'
import { acquaint } from './acquainted.ts'
import { cleanEnvironment, cliPath, temporaryFolder } from './real-cli.ts'

/** A question that a relay holds open. */
export interface HeldQuestion {
  readonly cliPid: number
  readonly ask: string
  readonly input: Readonly<Record<string, unknown>>
  readonly isOpen: () => boolean
  readonly answer: (output: object) => void
}

export async function questionHub(socket: string) {
  const questions: HeldQuestion[] = []
  const server = createServer((request, response) => {
    void text(request).then((body) => questions.push(held(request.headers, body, response)))
  })
  server.listen(socket)
  await once(server, 'listening')
  const close = async () => {
    server.closeAllConnections()
    if (server.listening) await once(server.close(), 'close')
  }
  onTestFinished(close)
  return { questions, close }
}

function held(
  headers: Readonly<Record<string, string | string[] | undefined>>,
  body: string,
  response: ServerResponse,
): HeldQuestion {
  let isOpen = true
  response.on('close', () => (isOpen = false))
  return {
    cliPid: Number(headers['x-plexus-cli-pid']),
    ask: String(headers['x-plexus-ask']),
    input: JSON.parse(body) as Record<string, unknown>,
    isOpen: () => isOpen,
    answer: (output) => void response.end(JSON.stringify(output)),
  }
}

export const decision = (behavior: 'allow' | 'deny', more: object = {}) => ({
  hookSpecificOutput: { hookEventName: 'PermissionRequest', decision: { behavior, ...more } },
})

/** A folder with settings that have the entry (or not), and everything that a terminal needs to be opened in it. */
export async function terminalPlace(scenario: Scenario, { isOn = true } = {}) {
  const home = await temporaryFolder()
  const [work, config, plexusHome] = ['work', '.claude', 'plexus'].map((name) => join(home, name)) as [
    string,
    string,
    string,
  ]
  await mkdir(work)
  await mkdir(plexusHome, { mode: 0o700 })
  await acquaint(config, work)
  const model = await startScriptedModel(scenario)
  onTestFinished(() => model.close())
  const paths = pathsOf(plexusHome)
  await writeFile(paths.relay, RELAY_SCRIPT)
  const file = join(config, 'settings.json')
  if (isOn) applyChanges(planOn(file, { ...paths, curl: '/usr/bin/curl' }))
  const env = { ...cleanEnvironment(home, model.url), CLAUDE_CONFIG_DIR: config, LANG: 'C.UTF-8' }
  const open = async () => {
    const command = [cliPath(), '--permission-mode', 'default']
    const terminal = await openTerminal(command, { env, cwd: work, columns: 120, rows: 40 })
    await terminal.sees('❯')
    const say = async (prompt: string) => {
      terminal.type(prompt)
      await terminal.sees(prompt)
      terminal.press('Enter')
    }
    return { ...terminal, say }
  }
  return { home, work, config, file, socket: paths.socket, relay: paths.relay, open }
}
