/** The demo in a real terminal, with the real CLI, in a temporary folder of its own. */
import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { UNREAD_MS } from '../../../src/command-line/dialog/dialog.ts'
import { cliPath, temporaryFolder } from '../cli/real-cli.ts'
import { programPath } from './build-programs.ts'
import { processesWith } from './processes-with.ts'
import { openTerminal } from './terminal.ts'

export async function openTour(size: { columns?: number } = {}) {
  const folder = await temporaryFolder()
  const temporary = join(folder, 'temporary')
  await mkdir(temporary)
  const env = {
    PATH: '/usr/bin:/bin',
    TMPDIR: temporary,
    CLAUDE_CODE_PATH: cliPath(),
    LANG: 'C.UTF-8',
  }
  const terminal = await openTerminal([process.execPath, programPath('plexus'), 'demo'], {
    env,
    cwd: folder,
    ...size,
  })
  return {
    ...terminal,
    /** A person reads before they press a key. */
    asks: async (question: string) => {
      await terminal.sees(question)
      await setTimeout(UNREAD_MS + 100)
    },
    left: async () => [...(await readdir(temporary)), ...(await processesWith(temporary))],
  }
}
