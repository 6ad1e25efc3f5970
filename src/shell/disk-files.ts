import { lstatSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { isErrno } from '../base/errno.ts'
import type { FileLookup } from './path-bounds.ts'

/** The disk as it is now. A folder with more names than this is not looked through while a child waits. */
const MAX_NAMES = 5_000
const MAX_BYTES = 256 * 1024

export const diskFiles: FileLookup = {
  realPath: (path) => undefinedOnError(() => realpathSync.native(path)),
  hasEntry: (path) => {
    try {
      return lstatSync(path, { throwIfNoEntry: false }) !== undefined
    } catch (error) {
      return !isErrno(error, 'ENOTDIR', 'ENAMETOOLONG') // what cannot be looked at may be there
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
}

function undefinedOnError<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
