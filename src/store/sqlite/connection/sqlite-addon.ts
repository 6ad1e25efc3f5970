import { closeSync, existsSync, openSync, readSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { AppError } from '../../../base/errors.ts'
import type { Driver } from './database.ts'

// Not `import`: a bundler would follow it into the package, whose native part must stay where it is.
const load = createRequire(import.meta.url)

/** SQLite for versions of Node without it: one file for each platform, at a path that is known, for a search would take longer than loading it. */
export function loadAddon(platform: string = process.platform, arch: string = process.arch): Driver {
  const libc = platform === 'linux' && isMusl(process.execPath) ? 'musl' : 'glibc'
  const file = join(`${platform}-${arch}`, `@photostructure+sqlite.${libc}.node`)
  const built = join(import.meta.dirname, 'sqlite', file)
  const path = existsSync(built) ? built : inDevelopmentPackage(file)
  const kind = platform === 'linux' ? `${platform} ${arch} (${libc})` : `${platform} ${arch}`
  if (!existsSync(path)) throw noSqlite(`Plexus brings none for ${kind}`)
  try {
    return load(path)
  } catch (error) {
    throw noSqlite(`the one that Plexus brings for ${kind} cannot be loaded here`, error)
  }
}

/** For what runs from a checkout and not from the folder of the build: tests and figures. */
function inDevelopmentPackage(file: string): string {
  try {
    return join(dirname(load.resolve('@photostructure/sqlite')), '../prebuilds', file)
  } catch {
    return ''
  }
}

/** Whether a program is linked against musl: the loader that it names stands near its beginning. Asking Node takes 100 times as long. */
export function isMusl(program: string): boolean {
  const file = openSync(program, 'r')
  try {
    const head = Buffer.alloc(4096)
    return head.subarray(0, readSync(file, head)).includes('/ld-musl-')
  } finally {
    closeSync(file)
  }
}

function noSqlite(reason: string, cause?: unknown): AppError {
  const { node } = process.versions
  const sentence = `Node ${node} has no SQLite, and ${reason}; use Node 22.13 or later, which has its own.`
  return new AppError('internal', sentence, { cause })
}
