/** How tests run the real CLI: which one, in which environment, in which folder. */
import { execFileSync } from 'node:child_process'
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { installedCli } from '../../scripts/installed-cli.mjs'

/** `PLEXUS_TEST_CLI`, else the installed one. */
export function cliPath(): string {
  const chosen = process.env['PLEXUS_TEST_CLI']
  if (chosen) return chosen
  const installed = installedCli(join(import.meta.dirname, '../..'))
  if (!installed) throw new Error('No Claude Code CLI is installed among the development packages.')
  return installed
}

/** Such as `2.1.197`. */
export function cliVersion(): string {
  const nowhere = cleanEnvironment(join(tmpdir(), 'plexus-test-version'), 'http://127.0.0.1:9')
  return execFileSync(cliPath(), ['--version'], { encoding: 'utf8', env: nowhere }).split(' ')[0] ?? ''
}

/** Nothing is inherited: no login, no settings, no traffic but to the scripted model. */
export function cleanEnvironment(home: string, modelUrl: string): Record<string, string> {
  return {
    PATH: '/usr/bin:/bin',
    HOME: home,
    CLAUDE_CONFIG_DIR: join(home, 'config'),
    ANTHROPIC_BASE_URL: modelUrl,
    ANTHROPIC_API_KEY: 'fake',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_TELEMETRY: '1',
    DISABLE_ERROR_REPORTING: '1',
    DISABLE_AUTOUPDATER: '1',
  }
}

/** A folder that is removed when the test is over. Call it inside a test. */
export async function temporaryFolder(): Promise<string> {
  // The real path, because the CLI reports that one and macOS links its temporary folder.
  const path = await realpath(await mkdtemp(join(tmpdir(), 'plexus-test-')))
  onTestFinished(() => rm(path, { recursive: true, force: true, maxRetries: 5 }))
  return path
}
