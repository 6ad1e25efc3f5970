/** The live screen in a real terminal, with the real CLI. */
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { UNREAD_MS } from '../../../src/command-line/dialog/dialog.ts'
import { say, tools, use } from '../../../src/demo/scenario.ts'
import { plexusAt } from '../../rig/clients/plexus-command.ts'
import { hubPlace } from '../../rig/hubs/hub.ts'
import { hasTerminal, openTerminal } from '../../rig/tools/terminal.ts'

test.skipIf(!hasTerminal)(
  'everything is on one screen: what waits is answered by a key, and the screen follows',
  async () => {
    const main = [tools(use('Bash', { command: 'touch it' })), say('All over')]
    const place = await hubPlace({ scenario: { main } })
    const plexus = plexusAt(place)
    await plexus('start', '--name', 'web', 'Touch it')
    await plexus('wait', 'web')
    const terminal = await openTerminal([process.execPath, place.program, 'watch'], {
      env: { ...place.env, PLEXUS_HOME: place.home, LANG: 'C.UTF-8' },
      cwd: place.project,
    })
    await terminal.sees(/>  web +needs you/)
    await terminal.sees('[a] allow once')
    await setTimeout(UNREAD_MS + 100) // a person reads first
    terminal.press('a')
    await terminal.sees(/>  web +idle/)
    await access(join(place.project, 'it'))
    terminal.resize(50, 12)
    await terminal.sees(/>  web +idle/)
    terminal.press('q')
    // The screen is as it was before.
    expect(await terminal.sees('exit code 0')).not.toMatch(/needs? you/)
  },
)
