/** The conversation of a session in a real interactive claude, in a real terminal, and back. */
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { say } from '../../../src/demo/scenario.ts'
import { acquaint } from '../../rig/cli/acquainted.ts'
import { plexusAt } from '../../rig/clients/plexus-command.ts'
import { hubPlace } from '../../rig/hubs/hub.ts'
import { hasTerminal, openTerminal } from '../../rig/tools/terminal.ts'

test.skipIf(!hasTerminal)(
  'a conversation goes into an interactive claude and comes back with what was said there',
  async () => {
    const place = await hubPlace({
      scenario: { main: [say('First answer'), say('Answer in the terminal'), say('Last answer')] },
    })
    await acquaint(join(place.folder, 'config'), place.project)
    const plexus = plexusAt(place)
    await plexus('start', '--name', 'web', 'The first word')
    expect(await plexus('wait', 'web')).toMatchObject({ exitCode: 0 })
    const env = { ...place.env, PLEXUS_HOME: place.home, LANG: 'C.UTF-8' }
    const terminal = await openTerminal(
      [
        'sh',
        '-ic',
        `${process.execPath} ${place.program} attach --claude web; echo left with $?; exec sh -i`,
      ],
      { env, cwd: place.folder, columns: 110, rows: 40 },
    )
    await terminal.sees('First answer')
    await terminal.sees('❯')
    terminal.press('-l', 'Second word')
    await terminal.sees('Second word')
    terminal.press('Enter')
    await terminal.sees('Answer in the terminal')
    expect((await plexus('ls')).stdout).toMatch(/\nweb +\w[^\n]* terminal /)
    const refused = await plexus('say', 'web', 'Not now')
    expect(refused).toMatchObject({ exitCode: 1 })
    expect(refused.stderr).toMatch(
      /^plexus: The conversation is open in a terminal .*; end it there first\.\n$/,
    )

    terminal.press('C-c')
    terminal.press('C-c')
    await terminal.sees('left with 0')
    expect((await plexus('ls')).stdout).toMatch(/\nweb +idle /)
    await plexus('say', 'web', 'Third word')
    expect(await plexus('wait', 'web')).toMatchObject({ exitCode: 0 })
    const asked = JSON.stringify(place.model.requests.at(-1)?.body)
    for (const text of ['The first word', 'Second word', 'Answer in the terminal', 'Third word'])
      expect(asked).toContain(text)
    expect((await plexus('logs', 'web')).stdout).toContain(
      '~ open in a terminal from here on; what was said there is not in this log\n~ ended\n> Third word\n',
    )
  },
)
