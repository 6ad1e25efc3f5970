// The conformance suite and a hub to try it on. What is needed is fetched once, into .cache.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, openSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { build } from 'rolldown'
import { fetchedNode } from './fetched-node.mjs'
import { fetchedPackage } from './fetched-package.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const cache = join(root, '.cache/conformance')
/** The 0.1 line knows nothing of 2026-07-28. */
export const SUITE = ['@modelcontextprotocol/conformance', '0.2.0-alpha.12']
/** The suite needs Node 22, and we a late one of it to put our token into its requests; this one is there for every platform. */
const NODE = '22.23.2'
const LIMIT_MS = 60_000

function fetched([name, version]) {
  return fetchedPackage(join(cache, `${name.replace('/', '-')}-${version}`), name, version)
}

function nodeForSuite() {
  if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath
  return fetchedNode(NODE)
}

/** `run(args, env?)` of the suite, in a folder of its own. */
export function fetchedSuite(folder) {
  const node = nodeForSuite()
  const suite = join(fetched(SUITE), 'dist/index.js')
  const preload = join(root, 'scripts/conformance-token.mjs')
  return (args, env = {}) =>
    spawnSync(node, ['--import', preload, suite, ...args], {
      env: { PATH: process.env.PATH, HOME: folder, ...env },
      cwd: folder,
      encoding: 'utf8',
      timeout: LIMIT_MS,
    })
}

/** `plexus serve` as it is now, in a home of its own. What it logs of the suite's bad requests is kept apart. */
export async function startedHub(folder) {
  const main = join(cache, 'plexus.mjs')
  await build({
    cwd: root,
    input: 'src/main.ts',
    platform: 'node',
    external: [/^node:/],
    logLevel: 'warn',
    output: { file: main, format: 'esm', codeSplitting: false },
  })
  const log = join(folder, 'hub.log')
  const args = ['serve', '--port', '0', '--home', join(folder, 'home'), '--json']
  const env = { PATH: process.env.PATH, HOME: folder }
  const hub = spawn(process.execPath, [main, ...args], { env, stdio: ['ignore', 'pipe', openSync(log, 'a')] })
  const line = once(createInterface({ input: hub.stdout }), 'line')
  const [told] = await Promise.race([line, once(hub, 'exit').then(() => [])])
  if (typeof told !== 'string') throw new Error(`The hub did not start: ${readFileSync(log, 'utf8')}`)
  const { url, tokenFile } = JSON.parse(told)
  const stop = async () => {
    if (hub.exitCode !== null) return
    hub.kill('SIGTERM')
    await once(hub, 'exit')
  }
  return { url, token: readFileSync(tokenFile, 'utf8').trim(), stop }
}

/** Names of the scenarios for servers that belong to a revision, those that the suite does not score too. */
export function scenariosOf(run, revision) {
  const { stdout, stderr } = run(['list', '--requirements', revision])
  const [, required = ''] = /^Server scenarios.*\n((?: {2}- \S+\n)+)/m.exec(stdout) ?? []
  const names = [...required.matchAll(/^ {2}- (\S+)$/gm), ...stdout.matchAll(/^ {4}- (\S+) \[server\]$/gm)]
  if (names.length === 0) throw new Error(`The suite lists no scenarios of ${revision}: ${stderr || stdout}`)
  return names.map(([, name]) => name)
}

/** The checks of one scenario: what each is called, how it ended, and why. */
export function checksOf(run, { url, token }, { scenario, revision, folder }) {
  const output = mkdtempSync(join(folder, 'checks-'))
  const args = ['server', '--url', `${url}/mcp`, '--scenario', scenario, '--spec-version', revision]
  const env = { PLEXUS_CONFORMANCE_URL: url, PLEXUS_CONFORMANCE_TOKEN: token }
  const ran = run([...args, '--output-dir', output], env)
  const [found] = readdirSync(output)
  if (found !== undefined) return JSON.parse(readFileSync(join(output, found, 'checks.json'), 'utf8'))
  return [{ id: 'ran', status: 'FAILURE', errorMessage: ran.error?.message ?? ran.stderr.trim() }]
}
