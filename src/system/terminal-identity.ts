import { fstatSync } from 'node:fs'
import { isatty } from 'node:tty'
import { identityOf } from './process-identity.ts'
import { readProcessRows } from './process-table.ts'

/**
 * Identifies the terminal of this process, also if its device is used again later: the device, and the process that leads the
 * session on it (where the system does not report that, the parent, which is the shell). Undefined without a terminal.
 */
export async function terminalIdentity(): Promise<string | undefined> {
  const terminal = [0, 1, 2].find((descriptor) => isatty(descriptor))
  if (terminal === undefined) return undefined
  const [own] = await readProcessRows([process.pid])
  const leader = process.platform === 'linux' ? own?.leaders.at(-1) : own?.parent
  if (leader === undefined) return undefined
  const startedAt = (await identityOf(leader))?.startedAt ?? ''
  return `${fstatSync(terminal).rdev} ${leader} ${startedAt}`
}
