/** `plexus run` without -p: an interactive claude as a session, with what it asks in the inbox. */
import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { plexusAt } from '../../rig/clients/plexus-command.ts'
import { chooseThere, leave, say, seesDialog } from '../../rig/terminals/terminal-keys.ts'
import { terminalPlace } from '../../rig/terminals/terminal-place.ts'
import { pendingAt } from '../../rig/terminals/terminal-questions.ts'
import { madeIn, MAKES, makes } from '../../rig/terminals/terminal-scripts.ts'
import { eventually } from '../../rig/tools/eventually.ts'
import { hasTerminal } from '../../rig/tools/terminal.ts'

test.runIf(hasTerminal).each([
  { isOn: false, where: 'without terminals on' },
  { isOn: true, where: 'with terminals on' },
])(
  'an interactive claude of plexus run asks in its terminal and in the inbox, once each, $where',
  { timeout: 90_000 },
  async ({ isOn }) => {
    const { place, settingsFile, typed } = await terminalPlace(MAKES, { isOn })
    const plexus = plexusAt(place)
    const before = await readFile(settingsFile, 'utf8').catch(() => 'none')
    const terminal = await typed('run', '--name', 'shop')
    await terminal.sees('shop is open in this terminal.')
    await terminal.sees(/❯\s*\n/)
    await say(terminal, 'Make one')
    await seesDialog(terminal, makes('one'))
    const asked = await pendingAt(plexus, 1)
    expect(asked).toMatchObject([{ shortId: 'shop.1', input: { command: makes('one') } }])
    expect((await plexus('ls')).stdout).toMatch(/\nshop +needs you .*terminal/)
    expect(await plexus('allow', 'shop.1')).toMatchObject({ exitCode: 0 })
    await terminal.sees('It said: one')

    await say(terminal, 'Make two')
    await seesDialog(terminal, makes('two'))
    expect(await pendingAt(plexus, 1)).toMatchObject([{ shortId: 'shop.2' }])
    await chooseThere(terminal, 'Yes')
    await terminal.sees('It said: two')
    await pendingAt(plexus, 0)
    expect((await plexus('allow', 'shop.2')).stderr).toContain('answered in the terminal')
    expect(await madeIn(place.project)).toEqual(['one', 'two'])

    await leave(terminal)
    expect(await readFile(settingsFile, 'utf8').catch(() => 'none')).toBe(before)
    await eventually(async () =>
      expect((await plexus('ls', '--all')).stdout).toMatch(/\nshop +(ended|idle) /),
    )
    expect(await plexus('say', 'shop', 'And now?')).toMatchObject({ exitCode: 0 })
    expect(await plexus('wait', 'shop')).toMatchObject({ exitCode: 0 })
    expect(JSON.stringify(place.model.requests.at(-1)?.body)).toContain('Make one')
  },
)
