/** An administrator who forbids the hooks of users: the terminal is seen to wait, and is answered there. */
import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { say as reply } from '../../../src/demo/scenario.ts'
import { plexusAt } from '../../rig/clients/plexus-command.ts'
import { managedMachine, mayManage } from '../../rig/terminals/managed-machine.ts'
import { chooseThere, say, seesDialog } from '../../rig/terminals/terminal-keys.ts'
import { terminalPlace } from '../../rig/terminals/terminal-place.ts'
import { questions, sessionsOf } from '../../rig/terminals/terminal-questions.ts'
import { run } from '../../rig/terminals/terminal-scripts.ts'
import { eventually } from '../../rig/tools/eventually.ts'
import { hasTerminal } from '../../rig/tools/terminal.ts'

test.runIf(hasTerminal && mayManage).each([
  ['allowManagedHooksOnly', 'managed-settings.json'],
  ['disableAllHooks', 'managed-settings.json'],
  ['allowManagedHooksOnly', 'managed-settings.d/10-hooks.json'],
])(
  'where an administrator has set %s in %s a terminal waits, is answered there, and status and doctor say why',
  { timeout: 90_000 },
  async (setting, file) => {
    const under = await managedMachine({ [setting]: true }, file)
    const { place, open } = await terminalPlace({ main: [run('mkdir unseen'), reply('made it')] })
    const plexus = plexusAt(place)
    const hub = await place.start()
    const terminal = await open({ under })
    await say(terminal, 'begin')
    await seesDialog(terminal, 'mkdir unseen')
    await eventually(async () => expect((await sessionsOf(hub))[0]).toMatchObject({ status: 'waiting' }))
    expect((await plexus('pending')).stdout).toContain('answer it there')
    expect((await plexus('ls')).stdout).toMatch(/needs you +there/)
    expect(await questions(hub, 0)).toEqual([])

    const managed = (...args: readonly string[]) => {
      const [program = '', ...before] = under
      const env = { ...place.env, PLEXUS_HOME: place.home }
      const command = [...before, process.execPath, place.program, ...args]
      // Exit code 1 is that of a doctor who has found something.
      return spawnSync(program, command, { env, cwd: place.project, encoding: 'utf8' }).stdout
    }
    const why = `/etc/claude-code/${file} switches hooks off, so terminals do not ask the hub; change that setting.`
    expect(managed('terminals', 'status')).toContain(why)
    expect(managed('doctor')).toContain(why)
    expect((await plexus('terminals', 'status')).stdout).not.toContain(why)

    await chooseThere(terminal, 'Yes')
    await terminal.sees('made it')
    await eventually(async () => expect((await sessionsOf(hub))[0]).toMatchObject({ status: 'idle' }))
    expect(await hub.call<object[]>('decisions')).toEqual([])
  },
)
