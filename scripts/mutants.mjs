/**
 * Which mutants of the pure modules the fast tests notice: `npm run mutants`, or `npm run mutants -- src/approvals` for
 * a folder or a file. The survivors are in .cache/mutants/survivors.txt. While tests are being written,
 * `--tests=test/approvals` runs only these, which is quicker and finds more survivors.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Coverage } from './mutants/coverage.mjs'
import { compareWithEquivalent } from './mutants/equivalent.mjs'
import { buildTests, instrument } from './mutants/instrument.mjs'
import { runJobs } from './mutants/pool.mjs'
import { pureModules, sourceFiles } from './mutants/pure-modules.mjs'
import { foldersOf, survivorsOf, tableOf } from './mutants/report.mjs'

const root = join(import.meta.dirname, '..')
const folder = join(root, '.cache/mutants')
const json = (name) => JSON.parse(readFileSync(join(import.meta.dirname, 'mutants', name), 'utf8'))
const scope = json('scope.json')
const isTests = (argument) => argument.startsWith('--tests=')
const paths = (argument) => argument.replace(/\/$/, '')
const parts = process.argv
  .slice(2)
  .filter((argument) => !isTests(argument))
  .map(paths)
const onlyTests = process.argv.filter(isTests).map((argument) => paths(argument.slice('--tests='.length)))
const isBelow = (file, parents) => parents.some((parent) => file === parent || file.startsWith(`${parent}/`))

rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })

const candidates = [...new Set([...pureModules(root), ...Object.keys(scope.also)])].toSorted()
const modules = candidates.filter((file) => isBelow(file, parts.length > 0 ? parts : scope.folders))
if (modules.length === 0) {
  console.error(`No pure module is below ${parts.join(', ')}.`)
  process.exit(1)
}
const { code, mutants } = await instrument(root, modules, Object.keys(scope.excludedMutators))
const testFiles = sourceFiles(root, scope.tests).filter(
  (file) =>
    file.endsWith('.test.ts') &&
    (onlyTests.length === 0 || isBelow(file, onlyTests)) &&
    (file in scope.testsAdded || !isBelow(file, Object.keys(scope.testsLeftOut))),
)
const built = await buildTests(root, testFiles, code, join(folder, 'built'))
console.log(
  `${mutants.length} mutants of ${modules.length} modules, ${built.size} of ${testFiles.length} test files reach one`,
)

const coverage = new Coverage(mutants)
const uncounted = []
let counted = 0
await runJobs(
  [...built].map(([file, path]) => ({ kind: 'look', file, built: path })),
  (test, seen) => {
    if (!seen?.tests) return uncounted.push(`${test.file}: ${seen?.error ?? 'hung'}`)
    coverage.add(test, seen)
    for (const { name, error } of seen.tests)
      if (error) uncounted.push(`${test.file}: ${name}: ${error}`)
      else counted++
  },
)
writeFileSync(join(folder, 'uncounted.txt'), uncounted.join('\n'))
console.log(
  `${counted} tests count, ${uncounted.length} need a process or more time (.cache/mutants/uncounted.txt)`,
)

const jobs = mutants.map(({ id, file }) => ({ kind: 'judge', id, files: coverage.filesFor({ id, file }) }))
const byId = new Map(mutants.map((mutant) => [mutant.id, mutant]))
let judged = 0
const started = Date.now()
const covered = jobs.filter(({ files }) => files.length > 0)
for (const mutant of mutants) mutant.status = 'no coverage'
await runJobs(covered, ({ id }, answer) => {
  byId.get(id).status = answer ?? 'timeout'
  if (++judged % 200 === 0)
    console.log(`${judged} of ${covered.length} (${Math.round((Date.now() - started) / 1000)} s)`)
})

const { equivalent, gone } = compareWithEquivalent(json('equivalent.json'), mutants, new Set(modules))
const wrong = [...equivalent].filter(({ status }) => status === 'killed' || status === 'timeout')
for (const mutant of equivalent) if (!wrong.includes(mutant)) mutant.status = 'equivalent'
writeFileSync(join(folder, 'survivors.txt'), survivorsOf(mutants))
const rows = foldersOf(mutants)
console.log(tableOf(rows))
for (const { file, line, replacement } of gone)
  console.error(`equivalent.json names a mutant that does not exist: ${file}: ${line} → ${replacement}`)
for (const { file, line, replacement } of wrong)
  console.error(`equivalent.json names a mutant that a test noticed: ${file}: ${line} → ${replacement}`)
const under = rows.filter(({ score }) => score < scope.goal)
for (const { folder: name, score } of under)
  console.error(`${name} is under ${scope.goal} %: ${score.toFixed(1)}`)
process.exitCode = gone.length + wrong.length + under.length > 0 ? 1 : 0
