/** What can happen to a terminal and to the hub under a screen: a real terminal, the real CLI. */
import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { UNREAD_MS } from '../../../src/command-line/dialog/dialog.ts'
import { say, tools, use } from '../../../src/demo/scenario.ts'
import { plexusAt } from '../../rig/clients/plexus-command.ts'
import { type HubPlace, hubPlace } from '../../rig/hubs/hub.ts'
import { eventually } from '../../rig/tools/eventually.ts'
import { hasTerminal, openTerminal } from '../../rig/tools/terminal.ts'

const bash = (command: string) => tools(use('Bash', { command }))

/** A session `web` that asks for two commands, one after the other, and waits for the first. */
async function askingPlace(): Promise<HubPlace> {
  const place = await hubPlace({
    scenario: { main: [bash('touch one'), bash('touch two'), say('All over')] },
  })
  const plexus = plexusAt(place)
  await plexus('start', '--name', 'web', 'Touch both')
  await plexus('wait', 'web')
  return place
}
const open = (place: HubPlace, command: readonly string[], env: Record<string, string> = {}, columns = 80) =>
  openTerminal(command, {
    env: { ...place.env, PLEXUS_HOME: place.home, LANG: 'C.UTF-8', ...env },
    cwd: place.project,
    columns,
  })
const plexusCommand = (place: HubPlace, ...args: readonly string[]) => [
  process.execPath,
  place.program,
  ...args,
]
/** A person reads before they press a key. */
const read = () => setTimeout(UNREAD_MS + 100)

test.skipIf(!hasTerminal)('Ctrl-Z gives the terminal back to the shell, and fg takes it again', async () => {
  const place = await askingPlace()
  for (const name of ['attach web', 'watch']) {
    const shell = await open(place, ['bash', '--norc', '--noprofile', '-i'])
    shell.type(`${plexusCommand(place).join(' ')} ${name}\n`)
    await shell.sees('[a] allow once')
    shell.press('C-z')
    await shell.sees('Stopped')
    shell.type('clear; stty -a | grep -o " icanon"; echo mode $?\n')
    expect(await shell.sees('mode 0')).toContain('icanon')
    shell.type('clear; fg\n')
    await shell.sees('[a] allow once')
  }
})

test.skipIf(!hasTerminal).each(['attach web', 'watch'])(
  'a signal that ends %s leaves the terminal as it was',
  async (words) => {
    const place = await askingPlace()
    const terminal = await open(place, plexusCommand(place, ...words.split(' ')))
    await terminal.sees('[a] allow once')
    process.kill(terminal.pid(), 'SIGHUP')
    const screen = await terminal.sees('exit code 129')
    expect(screen).not.toContain('[a] allow once')
  },
)

test.skipIf(!hasTerminal)(
  'a hub that is killed under watch: a banner, keys off, and back with the next hub',
  async () => {
    const place = await askingPlace()
    const plexus = plexusAt(place)
    const watch = await open(place, plexusCommand(place, 'watch'))
    await watch.sees('[a] allow once')
    await read()
    process.kill((await place.running())?.pid ?? 0, 'SIGKILL')
    await watch.sees('The hub is away for')
    watch.press('a')
    await place.start()
    await watch.sees('plexus  1 session, 1 needs you')
    expect((await plexus('pending', '-q')).stdout).toBe('web.1\n')
    await read()
    watch.press('a')
    await eventually(async () => expect((await plexus('pending', '-q')).stdout).toBe('web.2\n'))
    await watch.sees('web.2  wants to run: touch two')
    await watch.sees('web.1: delivered to the child at')
  },
)

test.skipIf(!hasTerminal)(
  'two terminals, one question: the first answer counts, and the other is shown whose',
  async () => {
    const place = await askingPlace()
    const [one, other] = [
      await open(place, plexusCommand(place, 'attach', 'web')),
      await open(place, plexusCommand(place, 'attach', 'web')),
    ]
    for (const terminal of [one, other]) await terminal.sees('web.1 needs you')
    await read()
    one.press('a')
    await one.sees('= web.1 allowed by you')
    await one.sees('web.1: delivered to the child at')
    await other.sees('= web.1 was settled elsewhere: allowed by operator (command line)')
    expect(await other.sees('web.2 needs you')).not.toContain('web.1 allowed by you')
  },
)

test.skipIf(!hasTerminal)(
  'without repainting: numbers and Enter, for screen readers and dumb terminals',
  async () => {
    const place = await askingPlace()
    const terminal = await open(place, plexusCommand(place, 'attach', 'web'), { PLEXUS_ACCESSIBLE: '1' })
    await terminal.sees('Number, then Enter:')
    await read()
    terminal.type('1\r')
    await terminal.sees('= web.1 allowed by you')
    await terminal.sees('web.2  wants to run: touch two')
    const watch = await open(place, plexusCommand(place, 'watch'), { PLEXUS_ACCESSIBLE: '1' })
    await watch.sees('plexus pending lists what waits')
    expect(await watch.sees('exit code 2')).not.toContain('needs you')
  },
)

test.skipIf(!hasTerminal)('40 columns without UTF-8, and a terminal that becomes narrower', async () => {
  const place = await askingPlace()
  const narrow = await open(place, plexusCommand(place, 'attach', 'web'), { LANG: 'C' }, 40)
  const screen = await narrow.sees('-- web.1 needs you')
  // oxlint-disable-next-line no-control-regex -- all but ASCII
  expect(screen).not.toMatch(/[^\u0000-\u007F]/)
  const wide = await open(place, plexusCommand(place, 'attach', 'web'))
  await wide.sees('web.1 needs you')
  wide.resize(40, 24)
  await wide.sees(/again …\n\[d\] deny/)
  expect(wide.screen().split('needs you')).toHaveLength(2)
})

test.skipIf(!hasTerminal)('without a hub, watch says so and ends', async () => {
  const place = await hubPlace()
  const watch = await open(place, plexusCommand(place, 'watch'))
  expect(await watch.sees('exit code 4')).toContain('No hub runs')
})

test.skipIf(!hasTerminal)('what is edited in the editor is shown, and runs by another key', async () => {
  const place = await askingPlace()
  for (const [name, id] of [
    ['attach web', 'web.1'],
    ['watch', 'web.2'],
  ] as const) {
    const env = { PLEXUS_EDITOR: 'sed -i s/touch/ls/' }
    const terminal = await open(place, plexusCommand(place, ...name.split(' ')), env)
    await terminal.sees(`${id}  wants to run`)
    await read()
    terminal.press('e')
    await terminal.sees('[a] allow it as edited')
    expect(terminal.screen()).toContain('    + ls ')
    await read()
    terminal.press('a')
    await terminal.sees(`${id}: delivered to the child at`)
  }
  const plexus = plexusAt(place)
  await plexus('wait', 'web')
  const { question } = JSON.parse((await plexus('show', 'web.2', '--json')).stdout) as { question: object }
  expect(question).toMatchObject({ status: 'allowed', input: { command: 'touch two' } })
})

test.skipIf(!hasTerminal)(
  'questions of two sessions are marked on the screen and decided as one',
  async () => {
    const place = await askingPlace()
    const plexus = plexusAt(place)
    await plexus('start', '--name', 'api', 'Touch both')
    await plexus('wait', 'api')
    const watch = await open(place, plexusCommand(place, 'watch'))
    await watch.sees('2 need you')
    watch.press('x', 'j', 'x')
    await watch.sees('[d] deny these 2')
    watch.press('d')
    await watch.sees('Deny all of these, or none:')
    await read()
    watch.press('d')
    // The line says that they were answered together, and soon that both answers were delivered.
    await watch.sees(/web\.1[:,].*api\.1:/)
    await eventually(async () => {
      const shown = await Promise.all(['web.1', 'api.1'].map((id) => plexus('show', id, '--json')))
      expect(shown.map(({ stdout }) => (JSON.parse(stdout) as Shown).question.status)).toEqual([
        'denied',
        'denied',
      ])
    })
  },
)

interface Shown {
  readonly question: { readonly status: string }
}
