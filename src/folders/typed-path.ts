import { isAbsolute, join, normalize } from 'node:path'

/** What a person has typed of a path: the folder to list, and how the names in it must begin. */
export interface TypedPath {
  readonly folder: string
  readonly beginning: string
}

/** Undefined for a relative path: nobody can know what it is relative to. `~` is the home folder of the hub's user. Pure. */
export function typedPath(text: string, home: string | undefined): TypedPath | undefined {
  const isInHome = text === '~' || text.startsWith('~/')
  if (isInHome && home === undefined) return undefined
  const path = isInHome ? join(home ?? '', text.slice(1), text === '~' ? '/' : '') : text
  if (!isAbsolute(path)) return undefined
  const end = path.lastIndexOf('/') + 1
  // What was typed last is the beginning of a name; `.` and `..` are the way to a folder only with a slash after them.
  return { folder: withoutSlash(normalize(path.slice(0, end))), beginning: path.slice(end) }
}

/** Whether a folder of this name is offered: hidden ones only to a person who has typed the dot. Pure. */
export function isOffered(name: string, beginning: string): boolean {
  // A name that is no valid UTF-8 cannot be named by text.
  if (name.includes('\uFFFD')) return false
  if (name.startsWith('.') && !beginning.startsWith('.')) return false
  return name.toLowerCase().startsWith(beginning.toLowerCase())
}

/** Those that begin exactly as typed first, then by name. Pure. */
export function inOrder(names: readonly string[], beginning: string): string[] {
  const rank = (name: string) => (name.startsWith(beginning) ? 0 : 1)
  return names.toSorted((a, b) => rank(a) - rank(b) || (a.toLowerCase() < b.toLowerCase() ? -1 : 1))
}

function withoutSlash(folder: string): string {
  return folder.length > 1 ? folder.replace(/\/$/, '') : folder
}
