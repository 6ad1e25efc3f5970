// npm run test:cli -- [VERSION…]: all tests that start the real CLI, on each of these versions of it, one after
// the other; prints one table, a row for each test. Versions that are not installed are fetched once.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { fetchedPackage } from './fetched-package.mjs'
import { installedCli, platformPackages } from './installed-cli.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const cache = join(root, '.cache/cli')
const pinned = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).devDependencies[
  '@anthropic-ai/claude-code'
]
const NEWEST_TRIED = '2.1.325'

function giveUp(sentence) {
  console.error(sentence)
  process.exit(1)
}

/** The program of a version, fetched if need be, after it has said that it is that version. */
function cliOf(version) {
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

/** Scenarios, faults and the demo, and whatever else uses the rig for the real CLI. */
function testFiles() {
  return readdirSync(join(root, 'test'), { recursive: true })
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => join('test', file))
    .filter(
      (file) =>
        /^test\/(scenarios|faults|demo)\//.test(file) ||
        /from '[./]+\/rig\//.test(readFileSync(join(root, file), 'utf8')),
    )
    .toSorted()
}

/** Test -> ✓, ✗ or –. A file that could not be loaded is a ✗ of its own. */
function resultsOn(version, cli, files) {
  console.error(`\nClaude Code ${version}`)
  const report = join(cache, `${version}.json`)
  rmSync(report, { force: true })
  const vitest = join(root, 'node_modules/vitest/vitest.mjs')
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const env = { ...process.env, PLEXUS_TEST_CLI: cli }
  const { status } = spawnSync(process.execPath, [vitest, 'run', ...reporters, ...files], {
    cwd: root,
    env,
    stdio: ['ignore', 2, 2],
  })
  if (!existsSync(report)) giveUp(`The tests on ${version} ended with ${status} and without a report.`)
  const results = new Map()
  for (const file of JSON.parse(readFileSync(report, 'utf8')).testResults) {
    const path = relative(root, file.name)
    if (file.assertionResults.length === 0) results.set(path, file.status === 'failed' ? '✗' : '–')
    for (const { fullName, status: outcome } of file.assertionResults) {
      const row = `${path} › ${fullName}`
      const mark = { passed: '✓', failed: '✗' }[outcome] ?? '–'
      results.set(row, worse(results.get(row), mark))
    }
  }
  const marks = [...results.values()]
  if (status !== 0 && !marks.includes('✗')) results.set('errors outside of all tests', '✗')
  return results
}

/** Tests may share a name, as the rows of a table do. */
function worse(one = '–', other = '–') {
  return ['✗', '✓', '–'].find((mark) => mark === one || mark === other)
}

const versions = process.argv.length > 2 ? [...new Set(process.argv.slice(2))] : [pinned, NEWEST_TRIED]
const odd = versions.find((version) => !/^\d+\.\d+\.\d+$/.test(version))
if (odd) giveUp(`${JSON.stringify(odd)} is not a version; one looks like ${pinned}.`)
mkdirSync(cache, { recursive: true })
const clis = versions.map(cliOf) // all of them before the first test: a missing one shows at once
const files = testFiles()
const columns = versions.map((version, at) => resultsOn(version, clis[at], files))

const rows = [...new Set(columns.flatMap((results) => [...results.keys()]))].toSorted((a, b) =>
  a.localeCompare(b),
)
const width = Math.max(...rows.map((row) => row.length))
const marksOf = (row) => columns.map((results) => results.get(row) ?? '–')
const line = (row, cells) =>
  [row.padEnd(width), ...cells.map((cell, at) => cell.padEnd(versions[at].length))].join('  ').trimEnd()
console.log(line('', versions))
for (const row of rows) console.log(line(row, marksOf(row)))
const failed = rows.filter((row) => marksOf(row).includes('✗'))
const nowhere = rows.filter((row) => marksOf(row).every((mark) => mark === '–'))
const passed = columns.map((results) => [...results.values()].filter((mark) => mark === '✓').length)
console.log(line(`\npassed, of ${rows.length}`.padEnd(width + 1), passed.map(String)))
for (const row of nowhere) console.log(`ran on no version: ${row}`)
process.exitCode = failed.length + nowhere.length > 0 ? 1 : 0
