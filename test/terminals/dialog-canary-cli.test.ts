/**
 * The canary: what `src/terminals/tried-versions.ts` says about this version of Claude Code, tried in a real terminal. A version
 * whose dialog waits for the hook fails here, and gets `isSideBySide: false`.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { say as reply } from '../../src/demo/scenario.ts'
import { readTerminalStatuses } from '../../src/terminals/status-files.ts'
import { holdsDialog, isTriedVersion } from '../../src/terminals/tried-versions.ts'
import { cliVersion } from '../rig/cli/real-cli.ts'
import { decision, nth, questionHub } from '../rig/terminals/question-hub.ts'
import { chooseThere, PROCEED, pressUntil, say, seesDialog } from '../rig/terminals/terminal-keys.ts'
import { terminalPlace } from '../rig/terminals/terminal-place.ts'
import { run } from '../rig/terminals/terminal-scripts.ts'
import { eventually } from '../rig/tools/eventually.ts'
import { hasTerminal } from '../rig/tools/terminal.ts'

test.runIf(hasTerminal)(
  'the dialog is there and takes keys while the relay is held, and an answer of the hub takes effect as well',
  { timeout: 60_000 },
  async () => {
    expect(isTriedVersion(cliVersion()) && holdsDialog(cliVersion())).toBe(true)
    const folders = ['by-key', 'by-hub', 'never', 'aborted']
    const main = [...folders.map((folder) => run(`mkdir ${folder}`)), reply('all done')]
    const { place, configFolder, parts, open } = await terminalPlace({ main })
    const isMade = (folder: string) => existsSync(join(place.project, folder))
    const { questions } = await questionHub(parts.socket)
    const terminal = await open()
    await say(terminal, 'begin')

    // Side by side: the question is held at the hub, and the person answers in the terminal.
    await terminal.sees(PROCEED)
    const byKey = await nth(questions, 0)
    expect(byKey).toMatchObject({ cliPid: terminal.pid() })
    expect(byKey.input).toMatchObject({ tool_name: 'Bash', tool_input: { command: 'mkdir by-key' } })
    const [status] = await readTerminalStatuses(configFolder)
    expect(status).toMatchObject({ pid: terminal.pid(), sessionId: byKey.input['session_id'] })
    await eventually(async () =>
      expect(await readTerminalStatuses(configFolder)).toMatchObject([
        { status: 'waiting', cwd: place.project },
      ]),
    )
    expect(byKey.isOpen()).toBe(true)
    await chooseThere(terminal, 'Yes')
    await eventually(() => expect(isMade('by-key')).toBe(true))
    expect(byKey.isOpen()).toBe(true) // the CLI does not report to its hook that a person answered
    byKey.answer({})

    const byHub = await nth(questions, 1)
    await terminal.sees('mkdir by-hub')
    byHub.answer(decision('allow', { updatedInput: byHub.input['tool_input'] }))
    await eventually(() => expect(isMade('by-hub')).toBe(true))

    const denied = await nth(questions, 2)
    denied.answer(decision('deny', { message: 'not today' }))
    const aborted = await nth(questions, 3)
    expect(isMade('never')).toBe(false)
    await seesDialog(terminal, 'mkdir aborted')
    await pressUntil(terminal, 'Escape', () => !terminal.visible().includes(PROCEED))
    await eventually(() => expect(aborted.isOpen()).toBe(false)) // the relay ends, and its request with it
    expect(isMade('aborted')).toBe(false)
  },
)
