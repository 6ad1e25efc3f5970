import type { FileLookup } from '../../shell/path-bounds.ts'

/** The same disk, each question asked once: for many calls that are judged in one go. What is remembered has a limit. */
export function rememberedFiles(files: FileLookup): FileLookup {
  return {
    realPath: remembered(files.realPath),
    hasEntry: remembered(files.hasEntry),
    names: remembered(files.names),
    text: files.text,
  }
}

function remembered<T>(read: (path: string) => T): (path: string) => T {
  const known = new Map<string, { readonly value: T }>()
  return (path) => {
    const before = known.get(path)
    if (before) return before.value
    const value = read(path)
    if (known.size >= MAX_PATHS) known.clear()
    known.set(path, { value })
    return value
  }
}

const MAX_PATHS = 5_000
