import { lstatSync } from 'node:fs'
import { fileStamp } from '../../system/files/file-stamp.ts'
import { readPrivateFile } from '../../system/files/private-file.ts'
import { hashOfToken } from '../../callers/token-hash.ts'

/** Caches the hashes of token files. Every request needs one, so a file is read again only if its inode, size or ctime changed. */
export class TokenFiles {
  readonly #read = new Map<string, { readonly stamp: string; readonly hash: string }>()

  /** Undefined if there is no such file, or others could read it. */
  async hashIn(path: string): Promise<string | undefined> {
    const stamp = fileStamp(lstatSync(path, { bigint: true, throwIfNoEntry: false }))
    const known = this.#read.get(path)
    if (stamp !== undefined && known?.stamp === stamp) return known.hash
    this.#read.delete(path)
    const text = stamp === undefined ? undefined : await readPrivateFile(path).catch(() => undefined)
    if (stamp === undefined || text === undefined) return undefined
    const hash = hashOfToken(text.trim())
    this.#read.set(path, { stamp, hash })
    return hash
  }
}
