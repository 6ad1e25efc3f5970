/** Leaving a session at a real terminal while it asks. */
import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { UNREAD_MS } from '../../../src/command-line/dialog/dialog.ts'
import { commandHub } from '../../rig/hubs/command-hub.ts'
import { hasTerminal } from '../../rig/tools/terminal.ts'

/** A person reads before they press a key. */
const read = () => setTimeout(UNREAD_MS + 100)

test.skipIf(!hasTerminal)(
  'Ctrl-C with a question open says what a second one does; that one leaves it open',
  async () => {
    const hub = await commandHub()
    const web = await hub.session('web')
    await hub.ask(web, { command: 'touch one' })
    const shell = await hub.shell()
    shell.type('plexus attach web')
    await shell.sees('[a] allow once')
    await read()
    shell.press('C-c')
    await shell.sees('Ctrl-C again leaves it running')
    expect((await hub.plexus('pending', '-q')).stdout).toBe('web.1\n')
    shell.press('C-c')
    const screen = await shell.ends(0)
    expect(screen).toContain('web keeps running. plexus attach web comes back')
    expect(screen).not.toContain('[a] allow once')
    expect((await hub.plexus('pending', '-q')).stdout).toBe('web.1\n')
  },
)

test.skipIf(!hasTerminal)(
  'what is typed for a question that another has settled is dropped, and is no prompt',
  async () => {
    const hub = await commandHub()
    const web = await hub.session('web')
    await hub.ask(web, { command: 'touch one' })
    const shell = await hub.shell()
    shell.type('plexus attach web')
    await shell.sees('[a] allow once')
    await read()
    shell.press('d')
    await shell.sees('why not?')
    shell.press('-l', 'too ris')
    await hub.plexus('allow', 'web.1')
    await shell.sees('web.1 was settled meanwhile')
    shell.press('-l', 'ky')
    shell.press('Enter')
    await shell.sees('Type what it should do next')
    // The first interrupts what the session does.
    shell.press('C-c', 'C-c')
    const screen = await shell.ends(0)
    expect(screen).not.toContain('> ')
  },
)
