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

/** The same for many files: each is read again only if it has changed. */
export function readEachOnChange<T>(read: (path: string) => T): (path: string) => T {
  const readers = new Map<string, () => T>()
  const newReader = (path: string) => {
    if (readers.size >= MAX_READERS) readers.clear()
    const reader = readOnChange(path, () => read(path))
    readers.set(path, reader)
    return reader
  }
  return (path) => (readers.get(path) ?? newReader(path))()
}

const MAX_READERS = 1_000
