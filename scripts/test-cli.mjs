// npm run test:cli -- [VERSION…]: all tests that start the real CLI, on each of these versions of it, one after
// the other; prints one table, a row for each test. Versions that are not installed are fetched once.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { cache, cliOf, giveUp, versionsFrom } from './cli-of-version.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')

/** Attacks, scenarios, faults and the demo, and whatever else uses the rig for the real CLI. */
function testFiles() {
  return readdirSync(join(root, 'test'), { recursive: true })
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => join('test', file))
    .filter(
      (file) =>
        /^test\/(adversary|scenarios|faults|demo)\//.test(file) ||
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
  const env = { ...process.env, PLEXUS_TEST_CLI: cli, PLEXUS_ADVERSARY: 'full' }
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

const versions = versionsFrom(process.argv.slice(2))
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
