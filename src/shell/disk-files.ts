import { lstatSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { isErrno } from '../base/errno.ts'
import type { FileLookup } from './path-bounds.ts'

/** A folder with more names than this is not searched while a child waits. */
const MAX_NAMES = 5_000
const MAX_BYTES = 256 * 1024
/** The index of a repository with some 100,000 files. */
const MAX_SEARCHED_BYTES = 16 * 1024 * 1024

/** Reads the disk as it is now. */
export const diskFiles: FileLookup = {
  realPath: (path) => undefinedOnError(() => realpathSync.native(path)),
  hasEntry: (path) => {
    try {
      return lstatSync(path, { throwIfNoEntry: false }) !== undefined
    } catch (error) {
      return !isErrno(error, 'ENOTDIR', 'ENAMETOOLONG') // an entry that cannot be read may exist
    }
  },
  names: (folder) => {
    const names = undefinedOnError(() => readdirSync(folder))
    return names && names.length <= MAX_NAMES ? names : undefined
  },
  text: (path) =>
    undefinedOnError(() => {
      const stats = statSync(path)
      return stats.isFile() && stats.size <= MAX_BYTES ? readFileSync(path, 'utf8') : undefined
    }),
  hasBytes: (path, bytes) =>
    undefinedOnError(() => {
      const stats = statSync(path)
      if (!stats.isFile() || stats.size > MAX_SEARCHED_BYTES) return undefined
      return readFileSync(path).includes(Buffer.from(bytes))
    }),
}

function undefinedOnError<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
