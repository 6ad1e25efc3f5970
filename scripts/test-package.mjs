// npm run test:package: what is published, from its packed form: each Node with each version of the CLI, too old a Node,
// npm 12, the MCPB bundle and the plugin. When all passed, the table of docs/COMPATIBILITY.md is written anew.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { makeBundles } from './bundles.mjs'
import { cliOf, versionsFrom } from './cli-of-version.mjs'
import { compatibilityPage } from './compatibility-page.mjs'
import { fetchedNode } from './fetched-node.mjs'
import { fetchedPackage } from './fetched-package.mjs'
import { NEWER_NPM, newerNpmFolder, NODES, OLD_NODES, results } from './package-runs.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const page = join(root, 'docs/COMPATIBILITY.md')

// All that is needed, before anything runs: a missing one shows at once.
const clis = versionsFrom([]).map(cliOf)
for (const version of [...NODES, ...OLD_NODES]) fetchedNode(version)
fetchedPackage(newerNpmFolder, ...NEWER_NPM)
makeBundles()
rmSync(results, { recursive: true, force: true })

const vitest = [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--config', 'vitest.package.config.ts']
const failed = clis.filter((cli) => {
  const env = { ...process.env, PLEXUS_TEST_CLI: cli }
  const { status } = spawnSync(process.execPath, [...vitest, ...process.argv.slice(2)], {
    cwd: root,
    env,
    stdio: ['ignore', 2, 2],
  })
  return status !== 0
})
if (failed.length > 0) console.error(`It failed with ${failed.join(' and ')}.`)
else if (process.argv.length === 2) writeFileSync(page, compatibilityPage(readFileSync(page, 'utf8'), runs()))
process.exitCode = failed.length

function runs() {
  return readdirSync(results).map((file) => JSON.parse(readFileSync(join(results, file), 'utf8')))
}
