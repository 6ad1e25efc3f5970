// Runs the figures of bench/ (all, or those named), each in a Node process of its own with a clean
// environment; prints one table, keeps it in bench/results.json and in bench/README.md. With `--profile FOLDER` the
// programs that they start write CPU profiles, and the table is only printed, because profiling takes its time.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { build } from 'rolldown'
import config from '../rolldown.config.js'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const bundles = join(root, '.cache/bench')
const resultsFile = join(root, 'bench/results.json')
const pageFile = join(root, 'bench/README.md')

const known = readdirSync(join(root, 'bench')).flatMap((file) =>
  file.endsWith('.ts') ? basename(file, '.ts') : [],
)
const { positionals: named, values: flags } = parseArgs({
  allowPositionals: true,
  options: { profile: { type: 'string' } },
})
const profile = flags.profile === undefined ? {} : { PLEXUS_BENCH_PROFILE: resolve(flags.profile) }
const chromium = process.env.CHROME_PATH === undefined ? {} : { CHROME_PATH: process.env.CHROME_PATH }
const unknown = named.filter((name) => !known.includes(name))
if (unknown.length > 0) {
  console.error(`No figure ${unknown.join(', ')}. There are: ${known.join(', ')}.`)
  process.exit(2)
}

await build({
  cwd: root,
  input: Object.fromEntries(
    [...known, 'harness/run-figure', 'harness/table', 'harness/user/tool-turn-model'].map((name) => [
      name,
      join(root, 'bench', `${name}.ts`),
    ]),
  ),
  platform: 'node',
  external: [/^node:/, 'playwright-core', '@sparticuz/chromium'],
  logLevel: 'warn',
  output: { dir: bundles, format: 'esm', entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' },
})
// The program itself, as it is published, for the figures that start it.
for (const output of [config.output ?? []].flat())
  await build({
    ...config,
    cwd: root,
    logLevel: 'warn',
    output: { ...output, dir: join(bundles, 'program') },
  })
if ((named.length > 0 ? named : known).some((name) => name.startsWith('page-'))) {
  const { build: buildPage } = await import('vite')
  await buildPage({
    configFile: join(root, 'dashboard/vite.config.ts'),
    logLevel: 'warn',
    build: { outDir: join(bundles, 'program/page') },
  })
}
const { pageWith, tableOf } = await import(pathToFileURL(join(bundles, 'harness/table.mjs')).href)

async function comparisonOf(name) {
  const child = fork(
    join(bundles, 'harness/run-figure.mjs'),
    [pathToFileURL(join(bundles, `${name}.mjs`)).href],
    {
      cwd: root,
      env: { PATH: process.env.PATH, HOME: process.env.HOME, ...chromium, ...profile },
      execArgv: ['--expose-gc'],
    },
  )
  let comparison
  child.on('message', (message) => (comparison = message))
  const [code] = await once(child, 'exit')
  if (code === 0 && comparison !== undefined) return comparison
  throw new Error(`The figure ${name} ended with ${code} and without a result.`)
}

const kept = existsSync(resultsFile) ? JSON.parse(readFileSync(resultsFile, 'utf8')).figures : {}
const figures = Object.fromEntries(Object.entries(kept).filter(([name]) => known.includes(name)))
const measured = []
for (const name of named.length > 0 ? named : known) {
  console.error(`measuring ${name} …`)
  figures[name] = await comparisonOf(name)
  measured.push(figures[name])
}

if (flags.profile === undefined) keep()
console.log(tableOf(measured))
process.exitCode = measured.some((comparison) => comparison.reached === 'no') ? 1 : 0

function keep() {
  const sorted = Object.fromEntries(known.flatMap((name) => (figures[name] ? [[name, figures[name]]] : [])))
  const machine = {
    node: process.version,
    system: `${process.platform} ${process.arch}`,
    cores: availableParallelism(),
  }
  writeFileSync(resultsFile, JSON.stringify({ machine, figures: sorted }, null, 2) + '\n')
  const caption = `Node ${machine.node}, ${machine.system}, ${machine.cores} cores.`
  const page = pageWith(readFileSync(pageFile, 'utf8'), `${tableOf(Object.values(sorted))}\n\n${caption}`)
  writeFileSync(pageFile, page)
}
