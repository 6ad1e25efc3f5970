// What `npm run test:package` runs the package on, and where it keeps what came of it.
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The oldest that will do, without SQLite, and the lines that have it. */
export const NODES = ['20.19.0', '22.23.2', '24.21.0']
/** Each is too old; the syntax of the first is that of ten years ago. */
export const OLD_NODES = ['8.16.2', '12.22.12', '16.20.2', '18.20.8']
/** The first that blocks install scripts; it needs Node 24. */
export const NEWER_NPM = ['npm', '12.2.0']

/** A file for each run. */
export const results = fileURLToPath(new URL('../.cache/package/results', import.meta.url))

const folder = fileURLToPath(new URL('../.cache/package', import.meta.url))
export const newerNpm = join(folder, 'npm-12/node_modules/npm/bin/npm-cli.js')
export const newerNpmFolder = join(folder, 'npm-12')
