/** What a hub shows at its terminal, with the real CLI. */
import { expect, test } from 'vitest'
import { say, tools, use } from '../../../src/demo/scenario.ts'
import { plexusAt } from '../../rig/clients/plexus-command.ts'
import { hubPlace } from '../../rig/hubs/hub.ts'
import { hasTerminal, openTerminal } from '../../rig/tools/terminal.ts'

const bash = (command: string) => tools(use('Bash', { command }))

test.skipIf(!hasTerminal)(
  'a hub shows each question with its answer, and when it stops what stays; no line is a log line',
  async () => {
    const place = await hubPlace({ scenario: { main: [bash('touch one'), bash('touch two'), say('over')] } })
    const plexus = plexusAt(place)
    const at = (...args: string[]) =>
      openTerminal([process.execPath, place.program, ...args], {
        env: { ...place.env, PLEXUS_HOME: place.home, LANG: 'C.UTF-8' },
        cwd: place.project,
        columns: 200,
      })
    const terminal = await at('serve')
    await terminal.sees(/^Plexus \S+ runs at http:\/\/127\.0\.0\.1:\d+$/m)
    await terminal.sees(
      `claude mcp add --scope user plexus -- node ${place.program} mcp --home ${place.home}`,
    )

    await plexus('start', '--name', 'web', 'Touch both')
    await terminal.sees(`web wants to run: touch one   plexus allow web.1 --home ${place.home}`)
    await plexus('allow', 'web.1')
    await terminal.sees('web.1 was settled elsewhere: allowed by operator (command line)')
    await terminal.sees('web wants to run: touch two')

    const bare = await at()
    await bare.sees('A hub runs, with 1 session, 1 at work; plexus ls lists them.')
    await bare.sees('1 question waits for an answer; plexus pending shows it.')

    const second = await at('serve')
    await second.sees(
      /^plexus: A hub runs in .* already \(pid \d+, http:\/\/127\.0\.0\.1:\d+\); use it, end it, or/m,
    )

    terminal.press('C-c')
    const screen = await terminal.sees('exit code 0')
    expect(screen).toContain('The hub stops. 1 session at work stays: web\n1 question waits: web.2\n')
    expect(screen).toContain(`To end them: plexus stop web --home ${place.home}`)
    expect(screen).not.toContain('"level"')

    // What waited is shown by the next hub.
    const next = await at('serve')
    await next.sees('web wants to run: touch two')
    next.press('C-c')
    await next.sees('exit code 0')
  },
)
