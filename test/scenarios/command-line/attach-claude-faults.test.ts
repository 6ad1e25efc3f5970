/** Keys, commands and crashes while the conversation of a session is in an interactive claude. */
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { say } from '../../../src/demo/scenario.ts'
import { acquaint } from '../../rig/cli/acquainted.ts'
import { plexusAt } from '../../rig/clients/plexus-command.ts'
import { hubPlace } from '../../rig/hubs/hub.ts'
import { eventually } from '../../rig/tools/eventually.ts'
import { hasTerminal, openTerminal } from '../../rig/tools/terminal.ts'

/** A shell with job control in which the conversation is open. */
async function opened() {
  const place = await hubPlace({ scenario: { main: [say('First answer')] } })
  await acquaint(join(place.folder, 'config'), place.project)
  const plexus = plexusAt(place)
  await plexus('start', '--name', 'web', 'The first word')
  expect(await plexus('wait', 'web')).toMatchObject({ exitCode: 0 })
  const terminal = await openTerminal(['bash', '--norc', '-i'], {
    env: { ...place.env, PLEXUS_HOME: place.home, LANG: 'C.UTF-8', PS1: 'SHELL> ' },
    cwd: place.folder,
    columns: 110,
    rows: 40,
  })
  await terminal.sees('SHELL>')
  const type = async (text: string) => {
    terminal.press('-l', text)
    await terminal.sees(text)
    terminal.press('Enter')
  }
  await type(`${process.execPath} ${place.program} attach --claude web`)
  await terminal.sees('First answer')
  await terminal.sees(/❯\s*\n/)
  return { place, plexus, terminal, type }
}

test.skipIf(!hasTerminal)(
  'Ctrl-Z gives the terminal back and fg continues; a conversation that /clear began is the one that returns',
  async () => {
    const { place, plexus, terminal, type } = await opened()
    terminal.press('C-z')
    await terminal.sees('Stopped')
    expect((await plexus('ls')).stdout).toMatch(/\nweb +idle +- +terminal /)
    await type('fg')
    await terminal.sees(/SHELL> fg\n[\s\S]*❯\s*\n/)
    await type('/clear')
    await terminal.sees(/❯ \/clear[\s\S]*❯\s*\n/)
    await type('new words')
    await terminal.sees(/new words[\s\S]*First answer/)
    terminal.press('C-c')
    terminal.press('C-c')
    await terminal.sees('web is back.')
    await plexus('say', 'web', 'Third word')
    expect(await plexus('wait', 'web')).toMatchObject({ exitCode: 0 })
    const asked = JSON.stringify(place.model.requests.at(-1)?.body)
    for (const text of ['new words', 'Third word']) expect(asked).toContain(text)
    expect(asked).not.toContain('The first word')
  },
)

test.skipIf(!hasTerminal)('if plexus is killed meanwhile, nothing stays locked', async () => {
  const { plexus } = await opened()
  const { session } = JSON.parse((await plexus('show', 'web', '--json')).stdout) as {
    session: { outside: { pid: number } }
  }
  process.kill(session.outside.pid, 'SIGKILL')
  await eventually(async () => expect((await plexus('ls')).stdout).toMatch(/\nweb +idle /))
  // The claude in the terminal may still have the conversation open; then it must end first.
  await eventually(async () => {
    const said = await plexus('say', 'web', 'Hello again')
    const [, pid] = /open in another Claude Code process \(pid (\d+)\)/.exec(said.stderr) ?? []
    if (pid !== undefined) process.kill(Number(pid), 'SIGKILL')
    expect(said).toMatchObject({ exitCode: 0 })
  })
  expect(await plexus('wait', 'web')).toMatchObject({ exitCode: 0 })
})
