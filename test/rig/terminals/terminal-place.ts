/** A place for hubs, and the real CLI in terminals whose settings have the relay, so that they ask beside their own dialogs. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Scenario } from '../../../src/demo/scenario.ts'
import type { PendingQuestion } from '../../../src/engine/engine.ts'
import { type HookParts, hookEntry } from '../../../src/setup/terminals/hook-entry.ts'
import { RELAY_SCRIPT } from '../../../src/setup/terminals/relay-script.ts'
import { pathsOf } from '../../../src/setup/terminals/terminals-state.ts'
import { acquaint } from '../cli/acquainted.ts'
import { cliPath } from '../cli/real-cli.ts'
import { type Hub, type HubPlace, hubPlace } from '../hubs/hub.ts'
import { openTerminal, type Terminal } from '../tools/terminal.ts'
import { say } from './terminal-keys.ts'
import { theQuestion } from './terminal-questions.ts'

export interface TerminalPlace {
  readonly place: HubPlace
  /** The folder of the CLI's own files. */
  readonly configFolder: string
  readonly settingsFile: string
  /** What the entry of the relay starts. */
  readonly parts: HookParts
  /** Opens a CLI in a terminal and waits until it takes a prompt. */
  readonly open: (options?: OpenOptions) => Promise<Terminal>
  /** Opens a terminal in which `plexus COMMAND` was typed. */
  readonly typed: (...args: readonly string[]) => Promise<Terminal>
}

interface OpenOptions {
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  /** Where it is opened, if not in the project. */
  readonly folder?: string
  /** The command that starts it, if not it alone: one that gives it another view of the machine. */
  readonly under?: readonly string[]
}

interface PlaceOptions {
  /** More settings of the user. */
  readonly settings?: object
  /** If not, there is neither an entry nor a relay, as for a new user. */
  readonly isOn?: boolean
  /** Variables of the hub, its commands and the terminals. */
  readonly env?: Record<string, string>
}

export async function terminalPlace(
  scenario: Scenario,
  { settings = {}, isOn = true, env = {} }: PlaceOptions = {},
): Promise<TerminalPlace> {
  const place = await hubPlace({ scenario, env: { LANG: 'C.UTF-8', ...env } })
  const configFolder = join(place.folder, 'config')
  const settingsFile = join(configFolder, 'settings.json')
  await acquaint(configFolder, place.project)
  const parts = { ...pathsOf(place.home), curl: '/usr/bin/curl' }
  if (isOn) {
    await mkdir(place.home, { mode: 0o700 })
    await writeFile(parts.relay, RELAY_SCRIPT)
    const hooks = { PermissionRequest: [hookEntry(parts)] }
    await writeFile(settingsFile, JSON.stringify({ hooks, ...settings }))
  }
  const inTerminal = (
    command: readonly string[],
    more: Readonly<Record<string, string>>,
    cwd = place.project,
  ) => openTerminal(command, { env: { ...place.env, ...more }, cwd, columns: 120, rows: 40 })
  const open = async ({ args = [], env: own = {}, folder, under = [] }: OpenOptions = {}) => {
    const command = [...under, cliPath(), '--permission-mode=default', ...args]
    const terminal = await inTerminal(command, own, folder)
    await terminal.sees('❯')
    return terminal
  }
  const typed = (...args: readonly string[]) => {
    place.startsHubs()
    return inTerminal([process.execPath, place.program, ...args], { PLEXUS_HOME: place.home })
  }
  return { place, configFolder, settingsFile, parts, open, typed }
}

/** A hub, and a terminal that was given a prompt: the script begins. */
export async function beginAtTerminal(
  scenario: Scenario,
  { open: how, ...options }: PlaceOptions & { readonly open?: OpenOptions } = {},
): Promise<TerminalPlace & { readonly hub: Hub; readonly terminal: Terminal }> {
  const there = await terminalPlace(scenario, options)
  const hub = await there.place.start()
  const terminal = await there.open(how)
  await say(terminal, 'begin')
  return { ...there, hub, terminal }
}

/** The same, once the hub has its question. */
export async function askingTerminal(
  ...given: Parameters<typeof beginAtTerminal>
): Promise<Awaited<ReturnType<typeof beginAtTerminal>> & { readonly asked: PendingQuestion }> {
  const there = await beginAtTerminal(...given)
  return { ...there, asked: await theQuestion(there.hub) }
}
