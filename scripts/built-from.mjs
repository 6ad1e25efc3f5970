// Whether dist is the build of what lies in the project now. A note in dist lists every file that the build reads, with its
// size and time; the build itself empties dist, so a build that was broken off, or made in another way, has no note.
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const NOTE = 'dist/built-from.json'
const FOLDERS = ['src', 'dashboard', 'scripts/build']
const FILES = ['package.json', 'package-lock.json', 'rolldown.config.js', 'scripts/tables.mjs']
/** The build makes it from the other sources. */
const MADE = 'src/transports/mcp/tool-table.json'

/** As text, so that two can be compared; read before a build, so that a change during it is noticed by the next. */
export function sourcesOf(root) {
  const below = FOLDERS.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true }).map((name) => join(folder, name)),
  )
  const entries = [...FILES, ...below.toSorted()]
    .filter((path) => path !== MADE)
    .map((path) => [path, statSync(join(root, path), { throwIfNoEntry: false })])
    .filter(([, stats]) => !stats?.isDirectory())
    .map(([path, stats]) => `${path} ${stats?.size} ${stats?.mtimeMs}`)
  return JSON.stringify(entries, null, 1)
}

export function isBuilt(root, sources) {
  try {
    return statSync(join(root, 'dist/main.js')).isFile() && readFileSync(join(root, NOTE), 'utf8') === sources
  } catch {
    return false
  }
}

export function noteBuilt(root, sources) {
  writeFileSync(join(root, NOTE), sources)
}
