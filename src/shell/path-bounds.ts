import { dirname, isAbsolute, join } from 'node:path'
import type { ShellWord } from './simple-commands.ts'

/** What has to be known of the disk to say where a path leads. */
export interface Files {
  /** Without any link in it; undefined where nothing is. */
  readonly realPath: (path: string) => string | undefined
  /** Whether there is an entry of this name, a link that leads nowhere included. */
  readonly hasEntry: (path: string) => boolean
  /** The names in a folder; undefined where there is none, or too many to look at. */
  readonly names: (folder: string) => readonly string[] | undefined
  /** What a small file says; undefined where there is none. */
  readonly text: (path: string) => string | undefined
}

export interface Bounds {
  /** Real paths of the folders that a session may work in. */
  readonly folders: readonly string[]
  /** Real paths that are out of bounds even inside of those. */
  readonly except: readonly string[]
}

/** Where a path leads that a program is given: links are followed as the kernel does, `..` after each of them. */
export function destination(files: Files, cwd: string, path: string): string | undefined {
  let at = isAbsolute(path) ? '/' : cwd
  for (const name of path.split('/')) {
    if (name === '' || name === '.') continue
    if (name === '..') {
      at = dirname(at)
      continue
    }
    const next = join(at, name)
    const real = files.realPath(next)
    if (real === undefined && files.hasEntry(next)) return undefined // a link to what may be made there
    at = real ?? next
  }
  return at
}

export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith('/') ? folder : `${folder}/`)
}

export function isInBounds({ folders, except }: Bounds, path: string | undefined): path is string {
  if (path === undefined || except.some((one) => isWithin(path, one))) return false
  return folders.some((folder) => isWithin(path, folder))
}

/** Whether all that a word can name lies in bounds. */
export function wordInBounds(files: Files, bounds: Bounds, cwd: string, word: ShellWord): boolean {
  const paths = word.pattern ? matches(files, cwd, word.text) : [word.text]
  if (!paths) return false
  // The name of a file that a pattern matches must not become an option.
  if (word.pattern && paths.some((path) => path.startsWith('-'))) return false
  return paths.every((path) => isInBounds(bounds, destination(files, cwd, path)))
}

/** The paths that a pattern may stand for, a few too many rather than one too few; undefined for too many. */
function matches(files: Files, cwd: string, pattern: string): string[] | undefined {
  let found = [pattern.startsWith('/') ? '/' : '']
  for (const part of pattern.split('/').filter((name) => name !== '')) {
    if (!/[*?[]/.test(part)) {
      found = found.map((path) => below(path, part))
      continue
    }
    const like = patternOf(part)
    if (!like) return undefined
    const next: string[] = []
    for (const path of found) {
      const at = destination(files, cwd, path)
      const names = at === undefined ? undefined : files.names(at)
      if (!names) return undefined
      for (const name of names) if (like.test(name)) next.push(below(path, name))
    }
    if (next.length > MOST_MATCHES) return undefined
    found = next
  }
  return [...found, pattern] // the shell hands on the pattern itself where nothing matches
}

/** A set in brackets stands for any character here: more names match, none is missed. */
function patternOf(part: string): RegExp | undefined {
  const wide = part.replace(/\[.*\]/gs, '*').replace(/\*+/g, '*')
  if (wide.split('*').length > MOST_STARS + 1) return undefined // each makes the search longer by a power
  const source = wide
    .replace(/[.+^${}()|\\[\]]/g, String.raw`\$&`)
    .replaceAll('?', '.')
    .replaceAll('*', '.*')
  return new RegExp(`^${source}$`, 's')
}

/** Not `join`, which would take `..` for the folder before it although that may be a link. */
function below(path: string, name: string): string {
  return path === '' || path === '/' ? `${path}${name}` : `${path}/${name}`
}

const MOST_STARS = 3
const MOST_MATCHES = 2_000
