/** The settings of an administrator, for the processes of a test only: those that are started so see another `/etc`. */
import { spawnSync } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { temporaryFolder } from '../cli/real-cli.ts'

/** Lays a folder over `/etc` in a view of its own. There is no place to write to, so `/etc` itself stays as it is. */
const WITH_ETC = [
  'unshare',
  '-rm',
  'sh',
  '-c',
  'mount -t overlay overlay -o "lowerdir=$0:/etc" /etc && exec "$@"',
]

/** A kernel that lets a user do so has it; elsewhere these tests are skipped. */
export const mayManage =
  process.platform === 'linux' &&
  spawnSync(WITH_ETC[0] ?? '', [...WITH_ETC.slice(1), '/usr', 'true']).status === 0

/** The command with which a program is started on a machine whose administrator has set this, in this file. */
export async function managedMachine(settings: object, file: string): Promise<readonly string[]> {
  const etc = await temporaryFolder()
  const managed = join(etc, 'claude-code', file)
  await mkdir(dirname(managed), { recursive: true })
  await writeFile(managed, JSON.stringify(settings))
  return [...WITH_ETC, etc]
}
