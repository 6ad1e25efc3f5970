// What `npm start` runs: sets up, then runs Plexus with the arguments given. Who has no Claude Code of their
// own gets the one among our development packages, so that hub and demo need nothing but Node and npm.
import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, dirname, isAbsolute, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { installedCli } from './installed-cli.mjs'

await import('./setup.mjs')

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const main = join(root, 'dist/main.js')

/** npm puts node_modules/.bin into PATH, ours and that of every folder above: nobody chose what lies there. */
function hasOwnCli(path = '') {
  const folders = path
    .split(delimiter)
    .filter((folder) => isAbsolute(folder) && !/\/node_modules\/\.bin\/?$/.test(folder))
  return folders.some((folder) => isProgram(join(folder, 'claude')))
}

function isProgram(path) {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

const installed = installedCli(root)
if (installed && !process.env.CLAUDE_CODE_PATH && !hasOwnCli(process.env.PATH))
  process.env.CLAUDE_CODE_PATH = installed
// Their own may be too old.
if (installed) process.env.PLEXUS_SPARE_CLI = installed

// Flags alone are those of the hub, but for the two that are about the program itself.
const OF_THE_PROGRAM = ['--help', '-h', '--version', '-v']
const args = process.argv.slice(2)
const isHub = args.length === 0 || (args[0].startsWith('-') && !OF_THE_PROGRAM.includes(args[0]))
process.argv = [process.argv[0], main, ...(isHub ? ['serve'] : []), ...args]
await import(pathToFileURL(main).href)
