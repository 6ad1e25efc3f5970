/** Stryker's mutants of some modules, each behind a switch, and the tests built with them. */
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Instrumenter } from '@stryker-mutator/instrumenter'
import { rolldown } from 'rolldown'

const silent = {
  debug() {},
  info() {},
  isDebugEnabled: () => false,
  warn: console.warn,
  error: console.error,
}

/**
 * @param {string} root
 * @param {readonly string[]} files
 * @param {readonly string[]} excludedMutations
 */
export async function instrument(root, files, excludedMutations) {
  const sources = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]))
  const input = [...sources].map(([name, content]) => ({ name, content, mutate: true }))
  const options = { plugins: null, excludedMutations: [...excludedMutations], ignorers: [], noHeader: false }
  const result = await new Instrumenter(silent).instrument(input, options)
  const code = new Map(result.files.map(({ name, content }) => [join(root, name), content]))
  const mutants = result.mutants
    .filter(({ status }) => status !== 'Ignored')
    .map((mutant) => described(mutant, sources.get(mutant.fileName) ?? ''))
  return { code, mutants }
}

/**
 * One CommonJS file for each module, so that a test can have its own fresh copy of every module without parsing it anew.
 * @param {string} root
 * @param {readonly string[]} tests
 * @param {ReadonlyMap<string, string>} code of instrumented modules, by path
 * @param {string} folder
 * @returns {Promise<Map<string, string>>} the built file of each test that reaches an instrumented module: no other can notice one
 */
export async function buildTests(root, tests, code, folder) {
  const bundle = await rolldown({
    input: tests.map((file) => join(root, file)),
    platform: 'node',
    treeshake: false,
    external: (id) => !id.startsWith('.') && !id.startsWith('/'),
    plugins: [
      {
        name: 'mutants',
        transform: (text, id) => ({ code: withoutMain(withPlace(code.get(id) ?? text, id)), map: null }),
      },
    ],
    logLevel: 'silent',
  })
  const { output } = await bundle.write({
    dir: folder,
    format: 'cjs',
    preserveModules: true,
    preserveModulesRoot: root,
    entryFileNames: '[name].cjs',
    chunkFileNames: '[name].cjs',
  })
  await bundle.close()
  const chunks = new Map(output.flatMap((chunk) => (chunk.type === 'chunk' ? [[chunk.fileName, chunk]] : [])))
  const files = new Map([...chunks].map(([name, { facadeModuleId }]) => [facadeModuleId, name]))
  const targets = new Set([...code.keys()].map((path) => files.get(path)))
  const reaching = tests.flatMap((file) => {
    const name = files.get(join(root, file)) ?? ''
    return [...reached(chunks, name)].some((one) => targets.has(one)) ? [[file, join(folder, name)]] : []
  })
  return new Map(reaching)
}

/** A file and all that it imports. */
function reached(chunks, name, seen = new Set()) {
  if (seen.has(name)) return seen
  seen.add(name)
  const { imports = [], dynamicImports = [] } = chunks.get(name) ?? {}
  for (const next of [...imports, ...dynamicImports]) reached(chunks, next, seen)
  return seen
}

/** A test that looks for files beside itself must find those of the project, not of the build. */
function withPlace(text, id) {
  return text
    .replaceAll('import.meta.dirname', JSON.stringify(dirname(id)))
    .replaceAll('import.meta.filename', JSON.stringify(id))
    .replaceAll('import.meta.url', JSON.stringify(`file://${id}`))
}

/** A script that a test imports is not run by itself, and CommonJS knows no `await` outside of functions. */
const withoutMain = (text) => text.replaceAll(/^if \(process\.argv\[1\] === .*\) await .*$/gm, '')

function described({ id, fileName, location, mutatorName, replacement }, source) {
  const lines = source.split('\n')
  const { start, end } = location
  const inside = lines.slice(start.line, end.line + 1)
  inside[inside.length - 1] = (inside.at(-1) ?? '').slice(0, end.column)
  inside[0] = (inside[0] ?? '').slice(start.column)
  return {
    id,
    file: fileName,
    lineNumber: start.line + 1,
    mutator: mutatorName,
    line: oneLine(lines[start.line] ?? ''),
    original: oneLine(inside.join('\n')),
    replacement: oneLine(replacement),
  }
}

const oneLine = (text) => text.replaceAll(/\s+/g, ' ').trim()
