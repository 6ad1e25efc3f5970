import { lstatSync } from 'node:fs'
import { readPrivateFile } from '../../system/private-file.ts'
import { hashOf } from './operator-token.ts'

/** What the files with tokens hold. Every request asks, so a file is read again only when the system says that it is another. */
export class TokenFiles {
  readonly #read = new Map<string, { readonly mark: string; readonly hash: string }>()

  /** Undefined when there is no such file, or one that others could read. */
  async hashIn(path: string): Promise<string | undefined> {
    const mark = markOf(path)
    const known = this.#read.get(path)
    if (mark !== undefined && known?.mark === mark) return known.hash
    this.#read.delete(path)
    const text = mark === undefined ? undefined : await readPrivateFile(path).catch(() => undefined)
    if (mark === undefined || text === undefined) return undefined
    const hash = hashOf(text.trim())
    this.#read.set(path, { mark, hash })
    return hash
  }
}

/** Changes with the content, the mode and the owner of a file. */
function markOf(path: string): string | undefined {
  const found = lstatSync(path, { bigint: true, throwIfNoEntry: false })
  return found && `${found.ino} ${found.size} ${found.ctimeNs}`
}
