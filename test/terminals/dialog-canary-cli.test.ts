/**
 * The canary: what `src/terminals/tried-versions.ts` says about this version of Claude Code, tried in a real terminal. A version
 * whose dialog waits for the hook fails here, and gets `isSideBySide: false`.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { say, tools, use } from '../../src/demo/scenario.ts'
import { readTerminalStatuses } from '../../src/terminals/status-files.ts'
import { holdsDialog, isTriedVersion } from '../../src/terminals/tried-versions.ts'
import { cliVersion } from '../rig/cli/real-cli.ts'
import { decision, questionHub, terminalPlace } from '../rig/cli/terminal-claude.ts'
import { chooseThere } from '../rig/hubs/terminal-place.ts'
import { eventually } from '../rig/tools/eventually.ts'
import { hasTerminal } from '../rig/tools/terminal.ts'

const make = (folder: string) => tools(use('Bash', { command: `mkdir ${folder}`, description: 'make it' }))
const DIALOG = 'Do you want to proceed?'

test.runIf(hasTerminal)(
  'the dialog is there and takes keys while the relay is held, and an answer of the hub takes effect as well',
  { timeout: 60_000 },
  async () => {
    expect(isTriedVersion(cliVersion()) && holdsDialog(cliVersion())).toBe(true)
    const { work, config, socket, open } = await terminalPlace({
      main: [make('by-key'), make('by-hub'), make('never'), make('aborted'), say('all done')],
    })
    const { questions } = await questionHub(socket)
    const terminal = await open()
    await terminal.say('go')

    // Side by side: the question is held at the hub, and the person answers in the terminal.
    await terminal.sees(DIALOG)
    const byKey = await nth(questions, 0)
    expect(byKey).toMatchObject({ cliPid: terminal.pid() })
    expect(byKey.input).toMatchObject({ tool_name: 'Bash', tool_input: { command: 'mkdir by-key' } })
    const [status] = await readTerminalStatuses(config)
    expect(status).toMatchObject({ pid: terminal.pid(), sessionId: byKey.input['session_id'] })
    await eventually(async () =>
      expect(await readTerminalStatuses(config)).toMatchObject([{ status: 'waiting', cwd: work }]),
    )
    expect(byKey.isOpen()).toBe(true)
    await chooseThere(terminal, 'Yes')
    await eventually(() => expect(existsSync(join(work, 'by-key'))).toBe(true))
    expect(byKey.isOpen()).toBe(true) // the CLI does not report to its hook that a person answered
    byKey.answer({})

    const byHub = await nth(questions, 1)
    await terminal.sees('mkdir by-hub')
    byHub.answer(decision('allow', { updatedInput: byHub.input['tool_input'] }))
    await eventually(() => expect(existsSync(join(work, 'by-hub'))).toBe(true))

    const denied = await nth(questions, 2)
    denied.answer(decision('deny', { message: 'not today' }))
    const aborted = await nth(questions, 3)
    expect(existsSync(join(work, 'never'))).toBe(false)
    await eventually(() => expect(terminal.visible()).toContain('mkdir aborted'))
    terminal.press('Escape')
    await eventually(() => expect(aborted.isOpen()).toBe(false)) // the relay ends, and its request with it
    expect(existsSync(join(work, 'aborted'))).toBe(false)
  },
)

function nth<T>(list: readonly T[], index: number): Promise<T> {
  return eventually(() => {
    const found = list[index]
    if (found === undefined) throw new Error(`There are ${list.length} questions.`)
    return found
  })
}
