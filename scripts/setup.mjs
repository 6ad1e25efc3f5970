// Makes a clean clone runnable with Node and npm alone: installs when the lock file is newer than what is installed, and
// builds when something that the build reads has changed since.
import { spawnSync } from 'node:child_process'
import { existsSync, lstatSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isBuilt, noteBuilt, sourcesOf } from './built-from.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const mtime = (path) => (existsSync(path) ? statSync(path).mtimeMs : 0)

/** At a terminal only what failed is shown. */
function run(sentence, command, ...args) {
  const isQuiet = process.stderr.isTTY
  if (isQuiet) console.error(sentence)
  const output = isQuiet ? 'pipe' : 2
  const { status, error, stdout, stderr } = spawnSync(command, args, {
    cwd: root,
    stdio: ['ignore', output, output],
    maxBuffer: 64 << 20,
    encoding: 'utf8',
  })
  if (status === 0) return
  if (isQuiet) process.stderr.write(`${stdout ?? ''}${stderr ?? ''}`)
  console.error(
    `${command} ${args.join(' ')} failed${error ? `: ${error.message}` : ''}; nothing was started.`,
  )
  process.exit(1)
}

const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(
    `Plexus needs Node 20.19 or later, and this is Node ${process.versions.node}; install a newer one.`,
  )
  process.exit(1)
}
if (process.platform === 'win32') {
  console.error('Plexus does not run on Windows yet. Run it inside WSL.')
  process.exit(1)
}
// A linked node_modules belongs to somebody else, and `npm ci` would empty it.
const linked = lstatSync(join(root, 'node_modules'), { throwIfNoEntry: false })?.isSymbolicLink() ?? false
if (!linked && mtime(join(root, 'node_modules/.package-lock.json')) < mtime(join(root, 'package-lock.json')))
  // An npm that is older than `allowScripts` would run them.
  run('Installing the packages, once ...', 'npm', 'ci', '--ignore-scripts')
const sources = sourcesOf(root)
if (!isBuilt(root, sources)) {
  run('Building ...', 'npm', 'run', '--silent', 'build')
  noteBuilt(root, sources)
}
