/** Everything as a new user has it: `plexus terminals on` at a terminal, two plain `claude`, a session of ours, one inbox. */
import { readFile, writeFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { plexusAt } from '../../rig/clients/plexus-command.ts'
import { chooseThere, PROCEED, say, seesDialog } from '../../rig/terminals/terminal-keys.ts'
import { terminalPlace } from '../../rig/terminals/terminal-place.ts'
import { pendingAt } from '../../rig/terminals/terminal-questions.ts'
import { madeIn, MAKES, makes } from '../../rig/terminals/terminal-scripts.ts'
import { eventually } from '../../rig/tools/eventually.ts'
import { hasTerminal } from '../../rig/tools/terminal.ts'

const SETTINGS = '{ "cleanupPeriodDays":365,\n\n\t"env": {"MINE" : "1"}   }'

test.runIf(hasTerminal)(
  'R44: two plain claude and a session of ours are in one watch and one pending, and are answered here and there',
  { timeout: 180_000 },
  async () => {
    const { place, settingsFile, open, typed } = await terminalPlace(MAKES, { isOn: false })
    await writeFile(settingsFile, SETTINGS)
    const plexus = plexusAt(place)

    const on = await typed('terminals', 'on')
    await on.sees('Change it? [y/n]')
    await say(on, 'y')
    await on.sees('(plexus service install)? [y/n]')
    on.type('n')
    on.press('Enter')
    await on.sees('exit code 0')

    await plexus('start', '-d', '--name', 'own', 'Make own-1')
    const [one, two] = [await open(), await open()]
    await say(one, 'Make one-1')
    await say(two, 'Make two-1')
    for (const terminal of [one, two]) await terminal.sees(PROCEED)
    const asked = await pendingAt(plexus, 3)
    const nameOf = (name: string) =>
      asked.find(({ input }) => input.command === makes(name))?.shortId ?? `no question about ${name}`
    const names = [nameOf('one-1'), nameOf('two-1'), nameOf('own-1')]
    expect(names[2]).toBe('own.1')
    const watch = await typed('watch')
    for (const name of names) await watch.sees(new RegExp(`${name.replace(/\.\d+$/, '')} +needs you`))

    expect(await plexus('allow', names[0] ?? '')).toMatchObject({ exitCode: 0 })
    await one.sees('It said: one-1')
    expect(await plexus('deny', names[1] ?? '', '-m', 'Not this folder.')).toMatchObject({ exitCode: 0 })
    await two.sees('It said: Not this folder.')
    expect(await madeIn(place.project)).toEqual(['one-1'])

    await say(one, 'Make one-2')
    const [there] = (await pendingAt(plexus, 2)).filter(({ input }) => input.command === makes('one-2'))
    await seesDialog(one, makes('one-2'))
    await chooseThere(one, 'Yes')
    await one.sees('It said: one-2')
    expect(await madeIn(place.project)).toEqual(['one-1', 'one-2'])
    await eventually(async () => expect(await pendingAt(plexus, 1)).toMatchObject([{ shortId: 'own.1' }]))
    const late = await plexus('deny', there?.shortId ?? '')
    expect(late.exitCode).not.toBe(0)
    expect(late.stderr).toContain('answered in the terminal')
    expect(await plexus('allow', 'own.1')).toMatchObject({ exitCode: 0 })
    expect(await plexus('wait', 'own')).toMatchObject({ exitCode: 0 })

    expect(await plexus('terminals', 'off', '--yes')).toMatchObject({ exitCode: 0 })
    expect(await readFile(settingsFile, 'utf8')).toBe(SETTINGS)
  },
)
