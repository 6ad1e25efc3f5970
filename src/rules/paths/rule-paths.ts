import { isAbsolute, join } from 'node:path'
import { isGuardedPath } from '../../shell/edits-in-place.ts'
import type { ShellContext } from '../../shell/harmless.ts'
import { namesPath } from '../../shell/mentions-folder.ts'
import { isWithin } from '../../shell/path-bounds.ts'
import { globMatches, globOf } from './glob.ts'

/** Where a call is made, as far as a path of a rule depends on it. */
export interface PathContext {
  readonly place: ShellContext
  /** The folder that `~` stands for. */
  readonly userHome?: string | undefined
}

/** Whether a real path is one that a rule names. */
export function liesIn(real: string, wanted: string, context: PathContext): boolean {
  if (wanted.includes('*')) return globMatches(globOf(absolute(wanted, context)), real)
  return isWithin(real, folderOf(wanted, context))
}

/**
 * The same for a rule that allows, which covers no guarded name that it does not say. In the session's folders its path counts
 * as it is written: a link there may be of the repository or of the child, and lead anywhere.
 */
export function isAllowedIn(real: string, wanted: string, context: PathContext): boolean {
  const full = absolute(wanted, context)
  if (wanted.includes('*')) {
    const said = full.slice(0, full.lastIndexOf('/', full.indexOf('*')) + 1)
    return globMatches(globOf(full), real) && !isGuardedPath(real.slice(said.length))
  }
  const folder = writtenFolder(full, context)
  return isWithin(real, folder) && !isGuardedPath(real.slice(folder.length))
}

/** Links are followed up to the session's folders, and none in them. */
function writtenFolder(full: string, { place: { files, bounds } }: PathContext): string {
  let current = '/'
  for (const name of full.split('/').filter((part) => part !== '')) {
    const next = join(current, name)
    const isOwn = bounds.folders.some((folder) => isWithin(next, folder))
    current = isOwn ? next : (files.realPath(next) ?? next)
  }
  return current
}

/** No rule allows a look at the files of Plexus, or at a folder that holds them. */
export function isOfPlexus(real: string, { place }: PathContext): boolean {
  return place.bounds.except.some((home) => isWithin(real, home) || isWithin(home, real))
}

/** Whether a command line names something inside the folder, in any of the ways that a path is written. */
export function lineNames(
  line: string | undefined,
  path: string,
  cwd: string | undefined,
  context: PathContext,
): boolean {
  if (line === undefined) return true
  const { place } = context
  const here = (cwd === undefined ? undefined : place.files.realPath(cwd)) ?? place.cwd
  if (namesPath(line, { ...place, cwd: here }, (real) => liesIn(real, path, context))) return true
  if (path.includes('*')) return false
  const folder = folderOf(path, context)
  const { userHome } = context
  const below =
    userHome !== undefined && isWithin(folder, userHome) ? folder.slice(userHome.length) : undefined
  const spellings = below === undefined ? [] : ['~', '$HOME', '${HOME}'].map((home) => `${home}${below}`)
  return spellings.some((text) => line.includes(text)) || line.includes(folder)
}

/** The real path of a folder that a rule names. */
export function folderOf(path: string, context: PathContext): string {
  const full = absolute(path, context)
  return context.place.files.realPath(full) ?? full
}

export function absolute(path: string, { place, userHome = '/' }: PathContext): string {
  if (path === '~' || path.startsWith('~/')) return join(userHome, path.slice(1))
  if (isAbsolute(path) || path.startsWith('*')) return path.length > 1 ? path.replace(/\/+$/, '') : path
  return join(place.bounds.folders[0] ?? place.cwd, path)
}
