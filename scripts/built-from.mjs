// Whether a folder, which is dist unless another is named, has the build of what lies in the project now. A note in it lists
// every file that the build reads, with its size and time; the build itself empties dist, so a build that was broken off, or
// made in another way, has no note.
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const NOTE = 'built-from.json'
const FOLDERS = ['src', 'dashboard', 'scripts/build']
const FILES = ['package.json', 'package-lock.json', 'rolldown.config.js', 'scripts/tables.mjs']
/** The build makes it from the other sources. */
const MADE = 'src/transports/mcp/tool-table.json'

/** As text, so that two can be compared; read before a build, so that a change during it is noticed by the next. */
export function sourcesOf(root, more = []) {
  const below = [...FOLDERS, ...more].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true }).map((name) => join(folder, name)),
  )
  const entries = [...FILES, ...below.toSorted()]
    .filter((path) => path !== MADE)
    .map((path) => [path, statSync(join(root, path), { throwIfNoEntry: false })])
    .filter(([, stats]) => !stats?.isDirectory())
    .map(([path, stats]) => `${path} ${stats?.size} ${stats?.mtimeMs}`)
  return JSON.stringify(entries, null, 1)
}

export function isBuilt(root, sources, folder = 'dist') {
  try {
    const isThere = statSync(join(root, folder, 'main.js')).isFile()
    return isThere && readFileSync(join(root, folder, NOTE), 'utf8') === sources
  } catch {
    return false
  }
}

export function noteBuilt(root, sources, folder = 'dist') {
  writeFileSync(join(root, folder, NOTE), sources)
}

/** Before a build that does not empty its folder: one that is broken off has no note then. */
export function forgetBuilt(root, folder) {
  rmSync(join(root, folder, NOTE), { force: true })
}
