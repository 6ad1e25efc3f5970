import type { FileLookup } from '../../shell/path-bounds.ts'

/** The same disk, each question asked once: for many calls that are judged in one go. What is remembered has a limit. */
export function rememberedFiles(files: FileLookup): FileLookup {
  const hasEntry = remembered(files.hasEntry)
  const listing = remembered((folder: string) => listingOf(files.names(folder)), MAX_LISTINGS)
  let last = { folder: '/', names: listing('/') }

  /** Most words of a command name no file: one listing of the folder shows that for all of them. */
  const lacks = (folder: string, name: string): boolean => {
    const kind = kindOf(name)
    if (kind === 'other') return false
    // Most paths of a call lie in one folder.
    if (folder !== last.folder) last = { folder, names: listing(folder) }
    return last.names?.has(kind === 'folded' ? name : name.toLowerCase()) === false
  }
  return {
    realPath: remembered(files.realPath),
    lacks,
    hasEntry: (path) => {
      // An option may name the folder itself: then the one above it is not listed in its place.
      if (path === last.folder) return hasEntry(path)
      const slash = path.lastIndexOf('/')
      return !lacks(path.slice(0, slash) || '/', path.slice(slash + 1)) && hasEntry(path)
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

/** `other`: a name that a listing does not have as a whole, such as `..`, or that could be written in other ways. */
function kindOf(name: string): 'folded' | 'ascii' | 'other' {
  if (name === '' || name.startsWith('.')) return 'other'
  let kind: 'folded' | 'ascii' = 'folded'
  for (let index = 0; index < name.length; index += 1) {
    const found = KINDS[name.charCodeAt(index)]
    if (found === CAPITAL) kind = 'ascii'
    else if (found !== FOLDED) return 'other'
  }
  return kind
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

const [FOLDED, CAPITAL] = [1, 2]
/** By the code of a character: each word of each command is looked at, and a regular expression takes longer. */
const KINDS = Uint8Array.from({ length: 128 }, (_, code) => {
  const char = String.fromCharCode(code)
  if (/[A-Z]/.test(char)) return CAPITAL
  return /[\w @%+=,:.-]/.test(char) ? FOLDED : 0
})
const MAX_PATHS = 5_000
/** Each may have thousands of names. */
const MAX_LISTINGS = 20
