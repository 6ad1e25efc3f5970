/** `plexus terminals on` at a terminal, where no service keeps a hub. */
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../rig/cli/real-cli.ts'
import { programPath } from '../../rig/tools/build-programs.ts'
import { hasTerminal, openTerminal } from '../../rig/tools/terminal.ts'

test.runIf(hasTerminal)(
  'on offers the service, which shows its file and asks once more; a no leaves the entry as it is',
  async () => {
    const home = await temporaryFolder()
    mkdirSync(join(home, '.claude'))
    const env = { PATH: '/usr/bin:/bin', HOME: home, XDG_RUNTIME_DIR: join(home, 'nothing') }
    const words = [process.execPath, programPath('plexus'), 'terminals', 'on']
    const terminal = await openTerminal(words, { env, cwd: home, columns: 120, rows: 60 })
    const answer = async (question: string, key: 'y' | 'n') => {
      await terminal.sees(question)
      terminal.press(key, 'Enter')
    }
    await answer('Change it? [y/n]', 'y')
    await answer('Keep a hub running from now on (plexus service install)? [y/n]', 'y')
    await answer('Install it? [y/n]', 'n')
    await terminal.sees('Nothing was done.')
    await terminal.sees('exit code 0')
    expect(readFileSync(join(home, '.claude/settings.json'), 'utf8')).toContain('terminal-relay.sh')
    expect(existsSync(join(home, '.config/systemd'))).toBe(false)
  },
)
