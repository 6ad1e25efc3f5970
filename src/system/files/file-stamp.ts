import { type BigIntStats, statSync } from 'node:fs'

/** Changes with the content, the mode and the owner of a file; undefined if there is none. */
export function fileStamp(found: BigIntStats | undefined): string | undefined {
  return found && `${found.ino} ${found.size} ${found.ctimeNs}`
}

/** Returns what `read` makes of a file, and calls it again only if the file has changed. */
export function readOnChange<T>(path: string, read: () => T): () => T {
  let last: { readonly stamp: string | undefined; readonly value: T } | undefined
  return () => {
    const stamp = fileStamp(statSync(path, { bigint: true, throwIfNoEntry: false }))
    if (!last || last.stamp !== stamp) last = { stamp, value: read() }
    return last.value
  }
}
