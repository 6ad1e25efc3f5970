import type { FileLookup } from '../../shell/path-bounds.ts'

/** The same disk, each question asked once: for many calls that are judged in one go. What is remembered has a limit. */
export function rememberedFiles(files: FileLookup): FileLookup {
  const hasEntry = remembered(files.hasEntry)
  const listing = remembered((folder: string) => listingOf(files.names(folder)), MAX_LISTINGS)
  let last = { folder: '', names: listing('/') }
  return {
    realPath: remembered(files.realPath),
    // Most words of a command name no file: one listing of the folder shows that for all of them.
    hasEntry: (path) => {
      const slash = path.lastIndexOf('/')
      const name = path.slice(slash + 1)
      if (!ASCII_NAME.test(name)) return hasEntry(path)
      // Most paths of a call lie in one folder.
      if (slash !== last.folder.length || !path.startsWith(last.folder)) {
        const folder = path.slice(0, slash)
        last = { folder, names: listing(folder || '/') }
      }
      return last.names?.has(name.toLowerCase()) !== false && hasEntry(path)
    },
    names: remembered(files.names),
    text: files.text,
    hasBytes: files.hasBytes,
  }
}

/** Folded, because `README` is the file `readme` on some disks; the disk itself then says which of them there is. */
function listingOf(names: readonly string[] | undefined): ReadonlySet<string> | undefined {
  return names && new Set(names.map(folded))
}

function folded(name: string): string {
  return name.toUpperCase().toLowerCase()
}

function remembered<T>(read: (path: string) => T, max = MAX_PATHS): (path: string) => T {
  const known = new Map<string, { readonly value: T }>()
  return (path) => {
    const before = known.get(path)
    if (before) return before.value
    const value = read(path)
    if (known.size >= max) known.clear()
    known.set(path, { value })
    return value
  }
}

/** No name that a listing does not have as a whole, such as `..`, and none that could be written in other ways. */
const ASCII_NAME = /^[\w @%+=,:-][\w @%+=,:.-]*$/
const MAX_PATHS = 5_000
/** Each may have thousands of names. */
const MAX_LISTINGS = 20
