/** `plexus run` without -p: an interactive claude as a session, with what it asks in the inbox. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { say as reply } from '../../../src/demo/scenario.ts'
import { plexusAt } from '../../rig/clients/plexus-command.ts'
import { chooseThere, leave, say, seesDialog } from '../../rig/terminals/terminal-keys.ts'
import { terminalPlace } from '../../rig/terminals/terminal-place.ts'
import { pendingAt } from '../../rig/terminals/terminal-questions.ts'
import { madeIn, MAKES, makes, run } from '../../rig/terminals/terminal-scripts.ts'
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

test.runIf(hasTerminal)(
  'S23: a call that an interactive claude of plexus run would not ask about is judged by the rules too',
  { timeout: 90_000 },
  async () => {
    const main = [run('ls'), reply('It is over.')]
    const { place, typed } = await terminalPlace({ main })
    const rules = [{ id: 'no-lists', effect: 'deny', command: 'ls', because: 'No lists here.' }]
    await writeFile(join(place.home, 'rules.json'), JSON.stringify({ v: 1, rules }), { mode: 0o600 })
    const terminal = await typed('run', '--name', 'shop')
    await terminal.sees(/❯\s*\n/)
    await say(terminal, 'begin')
    await terminal.sees('It is over.')
    expect(JSON.stringify(place.model.requests.at(-1)?.body)).toContain('No lists here.')
  },
)

test.runIf(hasTerminal)(
  'plexus run without -p says what it does not take, and keeps no session of it',
  { timeout: 90_000 },
  async () => {
    const { place, typed } = await terminalPlace({ main: [] })
    const continued = await typed('run', '--', '--continue')
    await continued.sees('plexus attach --claude NAME opens one that there is')
    const timed = await typed('run', '--timeout', '5m')
    await timed.sees('--timeout is for claude -p')
    for (const terminal of [continued, timed]) await terminal.sees('exit code 2')
    expect(await place.running()).toBeUndefined()
  },
)
