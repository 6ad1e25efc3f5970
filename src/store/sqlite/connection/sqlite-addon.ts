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

/** Whether a program is linked against musl, by the loader that it names. To ask Node for a report takes 100 times as long. */
export function isMusl(program: string): boolean {
  const file = openSync(program, 'r')
  try {
    return loaderOf((position, length) => {
      const bytes = Buffer.alloc(length)
      return bytes.subarray(0, readSync(file, bytes, 0, length, position))
    }).includes('/ld-musl-')
  } finally {
    closeSync(file)
  }
}

const LOADER = 3

/** The entry of kind `LOADER` in the program headers of an ELF file of 64 bits; empty if there is none. */
function loaderOf(read: (position: number, length: number) => Buffer): Buffer {
  const start = read(0, 64)
  if (start.length < 64 || start.toString('latin1', 1, 4) !== 'ELF') return Buffer.alloc(0)
  const [size, count] = [start.readUInt16LE(54), start.readUInt16LE(56)]
  const table = read(Number(start.readBigUInt64LE(32)), size * count)
  for (let at = 0; at + size <= table.length; at += size)
    if (table.readUInt32LE(at) === LOADER)
      return read(Number(table.readBigUInt64LE(at + 8)), Number(table.readBigUInt64LE(at + 32)))
  return Buffer.alloc(0)
}

function noSqlite(reason: string, cause?: unknown): AppError {
  const { node } = process.versions
  const sentence = `Node ${node} has no SQLite, and ${reason}; use Node 22.13 or later, which has its own.`
  return new AppError('internal', sentence, { cause })
}
