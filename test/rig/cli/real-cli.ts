/** How tests run the real CLI: which one, in which environment, in which folder. */
import { execFileSync } from 'node:child_process'
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { offlineEnvironment } from '../../../src/demo/offline-environment.ts'
import { installedCli } from '../../../scripts/installed-cli.mjs'

/** `PLEXUS_TEST_CLI`, else the installed one. `none` is what `npm run test:fast` sets, where no test may start a CLI. */
export function cliPath(): string {
  const chosen = process.env['PLEXUS_TEST_CLI']
  if (isWithoutCli) throw new Error('This test starts the CLI, so it does not belong to the fast tests.')
  if (chosen) return chosen
  const installed = installedCli(join(import.meta.dirname, '../../..'))
  if (!installed) throw new Error('No Claude Code CLI is installed among the development packages.')
  return installed
}

/** For a test that starts the CLI beside others that do not: the fast tests leave it out. */
export const isWithoutCli = process.env['PLEXUS_TEST_CLI'] === 'none'

/** Such as `2.1.197`. */
export function cliVersion(): string {
  version ??= askVersion()
  return version
}
let version: string | undefined

function askVersion(): string {
  const nowhere = cleanEnvironment(join(tmpdir(), 'plexus-test-version'), 'http://127.0.0.1:9')
  return execFileSync(cliPath(), ['--version'], { encoding: 'utf8', env: nowhere }).split(' ')[0] ?? ''
}

/** Every attack, as `npm run test:cli` and `npm run adversary` want it; else those that say most. */
export const isFull = process.env['PLEXUS_ADVERSARY'] === 'full'

/** Nothing is inherited: no login, no settings, no traffic but to the scripted model. */
export const cleanEnvironment = (home: string, modelUrl: string): Record<string, string> =>
  offlineEnvironment('/usr/bin:/bin', home, modelUrl)

/** A folder that is removed when the test is over. Call it inside a test. */
export async function temporaryFolder(): Promise<string> {
  // The real path, because the CLI reports that one and macOS links its temporary folder.
  const path = await realpath(await mkdtemp(join(tmpdir(), 'plexus-test-')))
  onTestFinished(() => rm(path, { recursive: true, force: true, maxRetries: 5 }))
  return path
}
