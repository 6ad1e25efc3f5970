import { lstatSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { isErrno } from '../base/errno.ts'
import type { Files } from './path-bounds.ts'

/** The disk as it is now. A folder with more names than this is not looked through while a child waits. */
const MOST_NAMES = 5_000
const MOST_BYTES = 256 * 1024

export const diskFiles: Files = {
  realPath: (path) => quietly(() => realpathSync.native(path)),
  hasEntry: (path) => {
    try {
      return lstatSync(path, { throwIfNoEntry: false }) !== undefined
    } catch (error) {
      return !isErrno(error, 'ENOTDIR', 'ENAMETOOLONG') // what cannot be looked at may be there
    }
  },
  names: (folder) => {
    const names = quietly(() => readdirSync(folder))
    return names && names.length <= MOST_NAMES ? names : undefined
  },
  text: (path) =>
    quietly(() => {
      const found = statSync(path)
      return found.isFile() && found.size <= MOST_BYTES ? readFileSync(path, 'utf8') : undefined
    }),
}

function quietly<T>(look: () => T): T | undefined {
  try {
    return look()
  } catch {
    return undefined
  }
}
