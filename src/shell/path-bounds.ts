import { dirname, isAbsolute, resolve } from 'node:path'
import type { ShellWord } from './lines/shell-word.ts'

/** The queries about the disk that show where a path leads. */
export interface FileLookup {
  /** The path without links; undefined if nothing is there. */
  readonly realPath: (path: string) => string | undefined
  /** Whether there is an entry of this name, including a dangling link. */
  readonly hasEntry: (path: string) => boolean
  /** Whether it is known, without a look at the disk, that a folder has no entry of this name. */
  readonly lacks?: (folder: string, name: string) => boolean
  /** The names in a folder; undefined if it cannot be read or has too many names. */
  readonly names: (folder: string) => readonly string[] | undefined
  /** The content of a small file; undefined if there is none. */
  readonly text: (path: string) => string | undefined
  /** Whether a file has these bytes in it; undefined if it cannot be read or is too large. */
  readonly hasBytes: (path: string, bytes: readonly number[]) => boolean | undefined
}

export interface Bounds {
  /** Real paths of the folders that a session may work in. */
  readonly folders: readonly string[]
  /** Real paths that are out of bounds even inside those. */
  readonly except: readonly string[]
}

/** Where a path leads: links are followed as the kernel does, and `..` is applied after each link. */
export function resolvePath(files: FileLookup, cwd: string, path: string): string | undefined {
  if (!path.includes('/')) return entryOf(files, tidied(cwd), path)
  let current: string | undefined = isAbsolute(path) ? '/' : tidied(cwd)
  for (const name of path.split('/')) {
    current = entryOf(files, current, name)
    if (current === undefined) return undefined
  }
  return current
}

/** Undefined for a dangling link: its target may be created. */
function entryOf(files: FileLookup, folder: string, name: string): string | undefined {
  const path = entryIn(folder, name)
  // Most words of a command name no file, and this is the cheaper question of the two.
  return files.hasEntry(path) ? files.realPath(path) : path
}

let lastTidy = '/'

/** Without `.`, `..` and needless slashes. All words of a command are resolved in one folder, so the last tidy one is kept. */
export function tidied(cwd: string): string {
  if (cwd === lastTidy) return cwd
  if (UNTIDY.test(cwd)) return resolve(cwd)
  lastTidy = cwd
  return cwd
}

/** The same as `join` for a folder whose path is tidy, in a small part of the time: each word of a command is resolved. */
function entryIn(folder: string, name: string): string {
  if (name === '' || name === '.') return folder
  if (name === '..') return dirname(folder)
  return folder.endsWith('/') ? `${folder}${name}` : `${folder}/${name}`
}

/** There may be more than names and single slashes in it, or it may be relative. */
const UNTIDY = /^[^/]|^$|\/[./]|\/$/

export function isWithin(path: string, folder: string): boolean {
  if (!path.startsWith(folder)) return false
  return path.length === folder.length || folder.endsWith('/') || path[folder.length] === '/'
}

export function isInBounds({ folders, except }: Bounds, path: string | undefined): path is string {
  if (path === undefined) return false
  for (const folder of except) if (isWithin(path, folder)) return false
  for (const folder of folders) if (isWithin(path, folder)) return true
  return false
}

/** Whether every path that a word can name is in bounds. */
export function wordInBounds(files: FileLookup, bounds: Bounds, cwd: string, word: ShellWord): boolean {
  const paths = word.pattern ? expandPattern(files, cwd, word.text) : [word.text]
  if (!paths) return false
  // The name of a file that a pattern matches must not become an option.
  if (word.pattern && paths.some((path) => path.startsWith('-'))) return false
  return paths.every((path) => isInBounds(bounds, resolvePath(files, cwd, path)))
}

/** The paths that a pattern may stand for, rather too many than too few; undefined beyond the limits. */
export function expandPattern(files: FileLookup, cwd: string, pattern: string): string[] | undefined {
  let found = [pattern.startsWith('/') ? '/' : '']
  for (const part of pattern.split('/').filter((name) => name !== '')) {
    if (!/[*?[]/.test(part)) {
      found = found.map((path) => appendName(path, part))
      continue
    }
    const like = regExpOf(part)
    if (!like) return undefined
    const next: string[] = []
    for (const path of found) {
      const folder = resolvePath(files, cwd, path)
      const names = folder === undefined ? undefined : files.names(folder)
      if (!names) return undefined
      for (const name of names) if (like.test(name)) next.push(appendName(path, name))
    }
    if (next.length > MAX_MATCHES) return undefined
    found = next
  }
  return [...found, pattern] // the shell passes the pattern itself if nothing matches
}

/** A set in brackets matches any text here: more names match, none is missed. */
function regExpOf(part: string): RegExp | undefined {
  const wide = part.replace(/\[.*\]/gs, '*').replace(/\*+/g, '*')
  if (wide.split('*').length > MAX_STARS + 1) return undefined // each star raises the time by a power
  const source = wide
    .replace(/[.+^${}()|\\[\]]/g, String.raw`\$&`)
    .replaceAll('?', '.')
    .replaceAll('*', '.*')
  return new RegExp(`^${source}$`, 's')
}

/** Not `join`, which would resolve `..` by name although the folder before it may be a link. */
function appendName(path: string, name: string): string {
  return path === '' || path === '/' ? `${path}${name}` : `${path}/${name}`
}

const MAX_STARS = 3
const MAX_MATCHES = 2_000
