/** Which modules are pure: they reach no file, process or socket, neither themselves nor by another module of ours. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'

const EFFECTS =
  /^(?:node:)?(?:fs|net|http|https|http2|tls|dgram|child_process|worker_threads|cluster|sqlite)(?:\/|$)/

// `import type` and `export type` are gone at run time.
const IMPORT =
  /^(?:import|export)\s+(?!type\b)[^'"`;]*?from\s+'([^']+)'|^import\s+'([^']+)'|\bimport\('([^']+)'\)/gm

/** @param {string} root @param {string} folder @returns {string[]} paths from the root, with slashes */
export function sourceFiles(root, folder) {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => posix.join(entry.parentPath.slice(root.length + 1), entry.name))
    .toSorted()
}

/** @param {string} root @returns {string[]} */
export function pureModules(root) {
  const files = sourceFiles(root, 'src')
  const imports = new Map(files.map((file) => [file, importsOf(root, file)]))
  const impure = new Set(files.filter((file) => imports.get(file)?.some((name) => EFFECTS.test(name))))
  for (let before = -1; before !== impure.size;) {
    before = impure.size
    for (const file of files) if (imports.get(file)?.some((name) => impure.has(name))) impure.add(file)
  }
  return files.filter((file) => !impure.has(file))
}

/** @param {string} root @param {string} file @returns {string[]} packages as they are, modules of ours from the root */
function importsOf(root, file) {
  return [...readFileSync(join(root, file), 'utf8').matchAll(IMPORT)]
    .map((match) => match[1] ?? match[2] ?? match[3] ?? '')
    .map((name) => (name.startsWith('.') ? posix.join(dirname(file), name) : name))
}
