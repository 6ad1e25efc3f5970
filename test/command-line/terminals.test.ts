/** What the commands say of a plain `claude` in a terminal, which is not ours to prompt or to end. */
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { commandsOn } from '../rig/hubs/command-hub.ts'
import { type PaperTerminal, paperTerminals } from '../rig/terminals/paper-terminals.ts'
import { hasTerminal } from '../rig/tools/terminal.ts'

/** A terminal `shop` that waits with its dialog and asks the hub, unless only its dialog is there. */
async function askingTerminal({ only }: { readonly only?: 'dialog' } = {}) {
  const place = await paperTerminals()
  const { folder } = place
  const commands = await commandsOn({
    folder,
    home: join(folder, 'home'),
    project: join(folder, 'project'),
    engine: place.app.engine,
  })
  const terminal: PaperTerminal = await place.terminal({ name: 'shop' })
  if (only === 'dialog') await terminal.waits()
  else await terminal.asksWaiting()
  await place.session(terminal.sessionId, ({ status }) => status === 'waiting')
  if (only !== 'dialog') await place.theQuestion()
  return { place, terminal, ...commands }
}

test.skipIf(!hasTerminal)(
  'attach refuses a terminal before anything is typed; when it has ended, it says what was asked there',
  async () => {
    const { place, terminal, plexus, shell } = await askingTerminal()
    const screen = await shell()
    screen.type('plexus attach shop')
    const refused = await screen.ends(1)
    expect(refused).toContain(`shop is open in a terminal (pid ${terminal.pid}): type there.`)
    expect(refused).not.toContain('Type what it should do next')
    expect(await plexus('allow', 'shop')).toMatchObject({ exitCode: 0 })
    await terminal.ends()
    await place.session(terminal.sessionId, ({ outside }) => outside === undefined)
    screen.type('plexus attach shop')
    await screen.sees('Type what it should do next')
    await screen.sees(/\? asks about Bash mkdir made-here\n= allowed by operator/)
    // It is opened again while a person is attached: then it is not ours to stop.
    const again = await place.terminal({ name: 'shop', sessionId: terminal.sessionId })
    await screen.sees(`a claude in a terminal (pid ${again.pid})`)
    screen.press('C-c', 'C-c')
    const left = await screen.ends(0)
    expect(left).toContain(
      'shop is open in a terminal now. plexus attach shop comes back when that has ended.',
    )
    expect(left).not.toContain('plexus stop')
  },
)

test('show says that it is a terminal, and neither a mode nor turns that are not known', async () => {
  const { terminal, plexus } = await askingTerminal()
  const { stdout } = await plexus('show', 'shop')
  expect(stdout).toContain(`terminal open there (pid ${terminal.pid}); not ours to prompt or to end\n`)
  expect(stdout).toContain('mode     terminal\n')
  expect(stdout).not.toMatch(/^turns/m)
})

test('allow of a terminal that waits there only says where to answer', async () => {
  const { plexus } = await askingTerminal({ only: 'dialog' })
  expect(await plexus('allow', 'shop')).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining(
      'shop has no open question here; it waits in its terminal (permission prompt); answer it there.',
    ),
  })
})
