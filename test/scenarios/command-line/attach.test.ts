/** A person in a real terminal, with the real CLI. */
import { access, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { UNREAD_MS } from '../../../src/command-line/dialog/dialog.ts'
import { say, tools, use } from '../../../src/demo/scenario.ts'
import { plexusAt } from '../../rig/clients/plexus-command.ts'
import { type HubPlace, hubPlace } from '../../rig/hubs/hub.ts'
import { hasTerminal, openTerminal } from '../../rig/tools/terminal.ts'

const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  )
const bash = (command: string) => tools(use('Bash', { command }))

const typedAt = (place: HubPlace, ...args: readonly string[]) =>
  openTerminal([process.execPath, place.program, ...args], {
    env: { ...place.env, PLEXUS_HOME: place.home, LANG: 'C.UTF-8' },
    cwd: place.project,
  })
/** A person reads before they press a key. */
const read = () => setTimeout(UNREAD_MS + 100)

test.skipIf(!hasTerminal)(
  'start asks where the person is: one is allowed by a key, one denied with a reason, and Ctrl-C leaves',
  async () => {
    const place = await hubPlace({
      scenario: { main: [bash('touch one'), bash('touch two'), say('All over')] },
    })
    const plexus = plexusAt(place)
    const terminal = await typedAt(place, 'start', '--name', 'web', 'Touch both')
    await terminal.sees('web.1 needs you')
    await read()
    terminal.press('a')
    await terminal.sees('web.2 needs you')
    await read()
    terminal.press('d')
    await terminal.sees('why not?')
    terminal.press('n', 'o', 'Enter')
    await terminal.sees('All over')
    await terminal.sees('· idle')
    terminal.press('C-c')
    const screen = await terminal.sees('exit code 0')
    expect(screen).toContain('web keeps running. plexus attach web comes back; plexus stop web ends it.')
    expect([await exists(join(place.project, 'one')), await exists(join(place.project, 'two'))]).toEqual([
      true,
      false,
    ])
    const { question } = JSON.parse((await plexus('show', 'web.2', '--json')).stdout) as { question: object }
    expect(question).toMatchObject({ status: 'denied', by: 'operator', via: 'command_line' })
  },
)

test.skipIf(!hasTerminal)(
  'attach shows what waits; a question that is answered elsewhere leaves the screen, and its key reaches no other',
  async () => {
    const place = await hubPlace({
      scenario: { main: [bash('touch one'), bash('touch two'), say('All over')] },
    })
    const plexus = plexusAt(place)
    await plexus('start', '--name', 'web', 'Touch both')
    await plexus('wait', 'web')
    const terminal = await typedAt(place, 'attach', 'web')
    await terminal.sees('web.1 needs you')
    await read()
    terminal.press('d')
    await terminal.sees('why not?')
    await plexus('allow', 'web.1')
    await terminal.sees('web.2 needs you')
    await terminal.sees('= web.1 was settled elsewhere: allowed by operator (command line)')
    // What was typed for the first question is gone.
    terminal.press('Enter')
    expect((await plexus('pending', '-q')).stdout).toBe('web.2\n')
    await plexus('allow', 'web.2')
    await terminal.sees('All over')
  },
)

test.skipIf(!hasTerminal)(
  'two quick Ctrl-C interrupt the turn and leave, and nothing is painted afterwards',
  async () => {
    const place = await hubPlace({ scenario: { main: [bash('tail -f /dev/null'), say('All over')] } })
    // Allowed by a rule, so that it runs until it is interrupted.
    const rules = [{ id: 'tail', effect: 'allow', command: 'tail -f /dev/null' }]
    await mkdir(place.home, { recursive: true, mode: 0o700 })
    await writeFile(join(place.home, 'rules.json'), JSON.stringify({ v: 1, rules }), { mode: 0o600 })
    const plexus = plexusAt(place)
    const terminal = await typedAt(place, 'start', '--name', 'web', 'Sleep')
    await terminal.sees('· Bash tail -f')
    terminal.press('C-c', 'C-c')
    const screen = await terminal.sees('exit code 0')
    expect(screen).not.toContain('went away')
    expect(screen.slice(screen.indexOf('web keeps running'))).toMatch(
      /^web keeps running\. plexus attach web comes back; plexus stop web ends it\.\nexit code 0\n*$/,
    )
    expect((await plexus('wait', 'web')).stdout).toBe('web idle (interrupted)\n')
  },
)

test.skipIf(!hasTerminal)('a hub that is killed under it is followed into the next one', async () => {
  const place = await hubPlace({ scenario: { main: [bash('touch one'), say('All over')] } })
  const plexus = plexusAt(place)
  const terminal = await typedAt(place, 'start', '--name', 'web', 'Touch it')
  await terminal.sees('web.1 needs you')
  process.kill((await place.running())?.pid ?? 0, 'SIGKILL')
  await plexus('allow', 'web.1')
  expect(await terminal.sees('All over')).toContain('allowed by operator')
})
