/** The completion of each shell, in that shell: what is typed at its prompt, and what Tab makes of it. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { plexusAt } from '../../rig/clients/plexus-command.ts'
import { hubPlace } from '../../rig/hubs/hub.ts'
import { eventually } from '../../rig/tools/eventually.ts'
import { hasTerminal, openTerminal } from '../../rig/tools/terminal.ts'

const SHELLS = {
  bash: { start: ['bash', '--norc', '-i'], load: (file: string) => `source ${file}` },
  zsh: {
    start: ['zsh', '-f', '-i'],
    load: (file: string) => `autoload -U compinit; compinit -u -D; source ${file}`,
  },
  fish: { start: ['fish', '--no-config', '-i'], load: (file: string) => `source ${file}` },
} as const

const isThere = (program: string) => spawnSync(program, ['--version']).status === 0

/** What is typed, and the line that Tab makes of it. No name runs anything. */
const COMPLETED = [
  ['plexus int', 'plexus interrupt'],
  ['plexus show we', 'plexus show web'],
  ['plexus show my', String.raw`plexus show my\ web`],
  ['plexus show pay', String.raw`plexus show pay\$\(touch\ x\)`],
] as const

test.for(Object.entries(SHELLS))(
  '%s completes commands and live names, quoted as it needs them',
  async ([shell, { start, load }], { skip }) => {
    skip(!hasTerminal, 'tmux is not installed')
    skip(!isThere(shell), `${shell} is not installed`)
    const place = await hubPlace()
    const plexus = plexusAt(place)
    const hub = await place.start()
    for (const name of ['web', 'my web', 'pay$(touch x)', 'hid\u200Bden'])
      await hub.call('createSession', { options: { name, workingDirectory: place.project } })
    const program = join(place.folder, 'plexus')
    await writeFile(program, `#!/bin/sh\nexec '${process.execPath}' '${place.program}' "$@"\n`, {
      mode: 0o755,
    })
    const file = join(place.folder, `completion.${shell}`)
    await writeFile(file, (await plexus('completion', shell)).stdout)
    const terminal = await openTerminal(start, {
      env: { PLEXUS_HOME: place.home, PATH: `${place.folder}:/usr/bin:/bin`, HOME: place.folder },
      cwd: place.project,
      columns: 120,
    })
    terminal.press(load(file), 'Enter')
    terminal.press('echo loaded', 'Enter')
    await terminal.sees(/^loaded/m)
    for (const [typed, line] of COMPLETED)
      // The names are there only if the hub answers within 200 ms: on a machine that is busy, at a later Tab.
      await eventually(async () => {
        terminal.press('C-u')
        terminal.press('-l', typed)
        terminal.press('Tab')
        const seen = () => expect(terminal.screen()).toContain(line)
        await eventually(seen, 3_000)
      })
    expect((await plexus('complete', '--', 'show', 'hid')).stdout).toBe('')
    expect(existsSync(join(place.project, 'x'))).toBe(false)
  },
)

test('without a hub only what needs none is completed, in silence', async () => {
  const plexus = plexusAt(await hubPlace())
  expect(await plexus('complete', '--', 'show', '')).toEqual({ exitCode: 0, stdout: '', stderr: '' })
  expect((await plexus('complete', '--', 'sh')).stdout).toBe('show\n')
})
