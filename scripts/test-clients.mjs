// npm run test:clients -- [NAME…]: the whole flow with clients that others wrote, fetched once into .cache/clients, by
// both transports; prints a table, and writes docs/CLIENTS.md when there is a result for every client.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { cliOf, NEWEST_TRIED } from './cli-of-version.mjs'
import { fetchClients, isPackage, packageNames, results } from './client-packages.mjs'
import { isWhole, pageOf, tableOf } from './clients-page.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const names = process.argv.slice(2)

cliOf(NEWEST_TRIED)
fetchClients(names.length > 0 ? names.map(packageOf).filter(isPackage) : packageNames)
mkdirSync(results, { recursive: true })
for (const file of readdirSync(results))
  if (names.length === 0 || isOf(file, names)) rmSync(join(results, file))

const vitest = [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--config', 'vitest.clients.config.ts']
const [command, ...args] = [...alone(), process.execPath, ...vitest]
const env = { ...process.env, ...(names.length > 0 ? { PLEXUS_CLIENTS: names.join(',') } : {}) }
const { status } = spawnSync(command, args, { cwd: root, env, stdio: ['ignore', 2, 2] })

const rows = readdirSync(results).map((file) => JSON.parse(readFileSync(join(results, file), 'utf8')))
const chosen = names.length > 0 ? rows.filter(({ name }) => names.includes(name)) : rows
if (chosen.length === 0) throw new Error(`There is no client ${names.join(', ')}.`)
console.log(tableOf(chosen))
if (isWhole(rows)) writeFileSync(join(root, 'docs/CLIENTS.md'), pageOf(rows))
else console.error('docs/CLIENTS.md stays as it is: some clients have no result here yet.')
process.exitCode = status ?? 1

/** Some packages are several clients, such as `acp` and `acp-forms`. */
function packageOf(name) {
  return packageNames.find((key) => name === key || name.startsWith(`${key}-`)) ?? name
}

function isOf(file, clients) {
  return clients.some((name) => new RegExp(`^${name}-(stdio|HTTP)-`).test(file))
}

/** A network of its own, with nothing in it but this machine, where the system allows that. */
function alone() {
  const up = ['sh', '-c', 'ip link set lo up && exec "$@"', 'sh']
  for (const flags of ['-n', '-rn']) {
    const own = ['unshare', flags, ...up]
    if (spawnSync(own[0], [...own.slice(1), 'true']).status === 0) return own
  }
  console.error(
    'There is no network namespace to be had here: clients are kept in by a proxy that is not there.',
  )
  return []
}
