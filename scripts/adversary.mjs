// npm run adversary -- [VERSION…]: tries every command of test/adversary on each of these versions of the CLI and
// writes docs/ADVERSARY.md. Ends with 1 when something was reached that nobody was asked about.
import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { page } from './adversary-page.mjs'
import { cliOf, giveUp, versionsFrom } from './cli-of-version.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const kept = join(root, '.cache/adversary')

function reportOn(version, cli) {
  console.error(`\nClaude Code ${version}`)
  const files = ['attacks', 'ordinary'].map((part) => join(kept, `${version}-${part}.json`))
  for (const file of files) rmSync(file, { force: true })
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const tests = ['test/adversary/commands.test.ts', 'test/adversary/ordinary.test.ts']
  const { status } = spawnSync(process.execPath, [vitest, 'run', ...tests], {
    cwd: root,
    env: { ...process.env, PLEXUS_TEST_CLI: cli, PLEXUS_ADVERSARY: 'full' },
    stdio: ['ignore', 2, 2],
  })
  try {
    const [attacks, ordinary] = files.map((file) => JSON.parse(readFileSync(file, 'utf8')))
    return { attacks, ordinary, status }
  } catch {
    return giveUp(`The suite on ${version} ended before it had tried everything; look above for why.`)
  }
}

const versions = versionsFrom(process.argv.slice(2))
const clis = versions.map(cliOf)
const reports = new Map(versions.map((version, at) => [version, reportOn(version, clis[at])]))
writeFileSync(join(root, 'docs/ADVERSARY.md'), page(reports))
for (const [version, { attacks, ordinary }] of reports) {
  const holes = attacks.filter(({ verdict }) => verdict === 'HOLE')
  console.log(`${version}: ${attacks.length} commands, ${holes.length} holes`)
  for (const { attack, reached } of holes) console.log(`  ${attack.command}: ${reached.join(', ')}`)
  for (const [mode, { asked, calls }] of Object.entries(ordinary.use))
    console.log(`  ordinary use, ${mode}: ${asked} questions in ${calls} calls`)
}
process.exitCode = [...reports.values()].some(({ status }) => status !== 0) ? 1 : 0
