// The CLI in the versions that tests are run on; one that is not installed is fetched once.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { fetchedPackage } from './fetched-package.mjs'
import { installedCli, platformPackages } from './installed-cli.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
export const cache = join(root, '.cache/cli')
const pinned = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).devDependencies[
  '@anthropic-ai/claude-code'
]
export const NEWEST_TRIED = '2.1.325'

export function giveUp(sentence) {
  console.error(sentence)
  process.exit(1)
}

/** Those that were named, else the pinned one and the newest that was tried. */
export function versionsFrom(words) {
  const versions = words.length > 0 ? [...new Set(words)] : [pinned, NEWEST_TRIED]
  const odd = versions.find((version) => !/^\d+\.\d+\.\d+$/.test(version))
  if (odd) giveUp(`${JSON.stringify(odd)} is not a version; one looks like ${pinned}.`)
  return versions
}

/** The program of a version, fetched if need be, after it has said that it is that version. */
export function cliOf(version) {
  const cli = version === pinned ? installedCli(root) : fetched(version)
  if (!cli) giveUp(`Claude Code ${version} is not installed; run npm ci.`)
  const home = mkdtempSync(join(tmpdir(), 'plexus-test-cli-'))
  const env = { PATH: '/usr/bin:/bin', HOME: home, CLAUDE_CONFIG_DIR: home, DISABLE_AUTOUPDATER: '1' }
  const { stdout, error } = spawnSync(cli, ['--version'], { env, encoding: 'utf8', timeout: 60_000 })
  rmSync(home, { recursive: true, force: true })
  if (!stdout?.startsWith(`${version} `))
    giveUp(`${cli} should be ${version} but says ${JSON.stringify(error?.message ?? stdout)}; remove it.`)
  return cli
}

function fetched(version) {
  const installed = installedCli(root) ?? ''
  const name = platformPackages.find((each) => installed.includes(`/${each}/`)) ?? platformPackages[0]
  const folder = join(cache, version)
  try {
    fetchedPackage(folder, name, version)
  } catch (error) {
    giveUp(error.message)
  }
  return installedCli(folder)
}
