/** Programs of npm and of ours, run by a Node of our choice in an environment of their own. */
import { execFile } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { nodePath } from '../../scripts/fetched-node.mjs'
import type { HubPlace } from '../rig/hubs/hub.ts'
import type { Typed } from '../rig/clients/plexus-command.ts'
import type { NpmRegistry } from './npm-registry.ts'

/** `npm` or `npx` of the npm that runs this. */
export function npmProgram(name: 'npm' | 'npx'): string {
  const running = process.env['npm_execpath'] ?? ''
  if (running === '') throw new Error('Start this by npm run test:package.')
  return join(dirname(running), `${name}-cli.js`)
}

/** That Node first in PATH, and a registry with our package alone. */
export async function npmEnvironment(
  place: HubPlace,
  version: string,
  registry: NpmRegistry,
): Promise<Record<string, string>> {
  const cache = join(place.folder, 'npm')
  await mkdir(cache, { recursive: true })
  return {
    ...place.env,
    PLEXUS_HOME: place.home,
    PATH: `${dirname(nodePath(version))}:${place.env['PATH']}`,
    npm_config_registry: registry.url,
    npm_config_cache: cache,
    npm_config_userconfig: join(cache, 'npmrc'),
    npm_config_update_notifier: 'false',
    npm_config_audit: 'false',
  }
}

/** Without a terminal, and with nothing on stdin. */
export function runWith(
  version: string,
  args: readonly string[],
  options: { readonly env: Record<string, string>; readonly cwd: string },
): Promise<Typed> {
  return new Promise((resolve) => {
    const child = execFile(nodePath(version), args, options, (error, stdout, stderr) =>
      resolve({ stdout, stderr, exitCode: error === null ? 0 : Number(error.code) }),
    )
    child.stdin?.end()
  })
}
