/** A hub, and the real CLI in terminals that ask it beside their own dialogs. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Scenario } from '../../../src/demo/scenario.ts'
import type { PendingQuestion } from '../../../src/engine/engine.ts'
import type { Session } from '../../../src/sessions/record/session.ts'
import { hookEntry } from '../../../src/setup/terminals/hook-entry.ts'
import { RELAY_SCRIPT } from '../../../src/setup/terminals/relay-script.ts'
import { pathsOf } from '../../../src/setup/terminals/terminals-state.ts'
import { acquaint } from '../cli/acquainted.ts'
import { cliPath } from '../cli/real-cli.ts'
import { eventually } from '../tools/eventually.ts'
import { openTerminal, type Terminal } from '../tools/terminal.ts'
import { type Hub, type HubPlace, hubPlace } from './hub.ts'

export interface TerminalPlace {
  readonly place: HubPlace
  readonly configFolder: string
  /** Opens a CLI in a terminal and waits until it takes a prompt. */
  readonly open: (options?: OpenOptions) => Promise<Terminal>
}

interface OpenOptions {
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

export async function terminalPlace(
  scenario: Scenario,
  { settings = {} }: { settings?: object } = {},
): Promise<TerminalPlace> {
  const place = await hubPlace({ scenario })
  const configFolder = join(place.folder, 'config')
  await acquaint(configFolder, place.project)
  await mkdir(place.home, { mode: 0o700 })
  const parts = { ...pathsOf(place.home), curl: '/usr/bin/curl' }
  await writeFile(parts.relay, RELAY_SCRIPT)
  const hooks = { PermissionRequest: [hookEntry(parts)] }
  await writeFile(join(configFolder, 'settings.json'), JSON.stringify({ hooks, ...settings }))
  const open = async ({ args = [], env = {} }: OpenOptions = {}) => {
    const terminal = await openTerminal([cliPath(), '--permission-mode=default', ...args], {
      env: { ...place.env, ...env },
      cwd: place.project,
      columns: 120,
      rows: 40,
    })
    await terminal.sees('❯')
    return terminal
  }
  return { place, configFolder, open }
}

/** Types a prompt, and sends it once it stands there. */
export async function say(terminal: Terminal, text: string): Promise<void> {
  terminal.type(text)
  await terminal.sees(text)
  terminal.press('Enter')
}

/** Chooses in the dialog of the terminal by its number. 2.1.325 takes no key in the first moments of a dialog. */
export async function chooseThere(terminal: Terminal, choice: 'Yes' | 'No'): Promise<void> {
  await terminal.sees(PROCEED)
  await eventually(async () => {
    const shown = terminal.visible()
    if (!shown.includes(PROCEED)) return
    const [, number] = new RegExp(`(\\d)\\. ${choice}\\b`).exec(shown) ?? []
    if (number !== undefined) terminal.press(number)
    throw new Error('The dialog is still there.')
  })
}

export const PROCEED = 'Do you want to proceed'

/** The questions that a person sees, once there are so many. */
export async function questions(hub: Hub, count: number): Promise<PendingQuestion[]> {
  return eventually(async () => {
    const asked = await hub.call<PendingQuestion[]>('pending')
    if (asked.length !== count) throw new Error(`There are ${asked.length} questions, not ${count}.`)
    return asked
  })
}

export async function theQuestion(hub: Hub): Promise<PendingQuestion> {
  const [asked] = await questions(hub, 1)
  if (!asked) throw new Error('There is no question.')
  return asked
}

/** The question once it is settled. */
export async function settled(hub: Hub, { id }: Pick<PendingQuestion, 'id'>): Promise<PendingQuestion> {
  return eventually(async () => {
    const asked = await hub.call<PendingQuestion>('getApproval', { approvalId: id })
    if (asked.status === 'pending') throw new Error('The question is still open.')
    return asked
  })
}

export function sessionsOf(hub: Hub): Promise<Session[]> {
  return hub.call<Session[]>('listSessions')
}
