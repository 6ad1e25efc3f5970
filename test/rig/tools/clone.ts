/** A clone of this repository as somebody else would have it, but with the packages that are installed here. */
import { spawnSync } from 'node:child_process'
import { cp, symlink } from 'node:fs/promises'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../../..')
const PARTS = [
  'src',
  'dashboard',
  'scripts',
  'docs',
  'examples',
  'bench',
  'package.json',
  'package-lock.json',
  '.npmrc',
]
const FILES = [
  'rolldown.config.js',
  'tsconfig.json',
  'README.md',
  'LICENSE',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
]
/** Made by the build, so that a clone has none. */
const isMade = (path: string) => path.endsWith('/tool-table.json')

export async function cloneInto(folder: string): Promise<void> {
  for (const part of [...PARTS, ...FILES])
    await cp(join(root, part), join(folder, part), { recursive: true, filter: (path) => !isMade(path) })
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
}

/** `npm pack` there; it must fetch nothing. */
export function packIn(folder: string): { readonly status: number | null; readonly stderr: string } {
  const env = { ...process.env, npm_config_offline: 'true', npm_config_update_notifier: 'false' }
  return spawnSync('npm', ['pack'], { cwd: folder, env, encoding: 'utf8' })
}
