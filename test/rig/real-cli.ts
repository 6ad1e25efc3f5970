/** How tests run the real CLI: which one, in which environment, in which folder. */
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'
import { offlineEnvironment } from '../../src/demo/offline-environment.ts'

/** `PLEXUS_TEST_CLI`, else the installed one. The platform package works without install scripts. */
export function cliPath(): string {
  const chosen = process.env['PLEXUS_TEST_CLI']
  if (chosen) return chosen
  const anthropic = dirname(
    dirname(createRequire(import.meta.url).resolve('@anthropic-ai/claude-code/package.json')),
  )
  const platform = `claude-code-${process.platform}-${process.arch}`
  const candidates = [`${platform}/claude`, `${platform}-musl/claude`, 'claude-code/bin/claude.exe'].map(
    (path) => join(anthropic, path),
  )
  const found = candidates.find((path) => existsSync(path))
  if (!found) throw new Error(`No Claude Code CLI is installed. Looked for ${candidates.join(', ')}.`)
  return found
}

/** Such as `2.1.197`. */
export function cliVersion(): string {
  const nowhere = cleanEnvironment(join(tmpdir(), 'plexus-test-version'), 'http://127.0.0.1:9')
  return execFileSync(cliPath(), ['--version'], { encoding: 'utf8', env: nowhere }).split(' ')[0] ?? ''
}

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
