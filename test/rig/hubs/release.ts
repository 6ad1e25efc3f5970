/** A program of ours as it was released: from its package, with the packages of this repository beside it. */
import { execFileSync } from 'node:child_process'
import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { temporaryFolder } from '../cli/real-cli.ts'

const root = join(import.meta.dirname, '../../..')

/** The file that Node runs; it is removed when the test is over. */
export async function released(version: '0.1.0'): Promise<string> {
  const folder = await temporaryFolder()
  const archive = join(root, `test/fixtures/releases/plexus-${version}.tgz`)
  execFileSync('tar', ['-xzf', archive, '-C', folder])
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  return join(folder, 'package/dist/main.js')
}
