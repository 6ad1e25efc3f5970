import { chmodSync, lstatSync, mkdirSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { isErrno } from '../base/errno.ts'
import { AppError } from '../base/errors.ts'

/**
 * Creates the home folder, or makes sure that nobody else can put anything into it or replace it. Returns its real path. If
 * others can only read it, their access is removed; if others can write to it, they may have done so already, so the folder
 * is not repaired but refused. All synchronous: a start needs these checks one after the other, and nothing else runs then.
 */
export async function prepareHome(path: string, userHome: string | undefined): Promise<string> {
  requireOutsideProject(path, userHome)
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 })
  } catch (cause) {
    throw new AppError('forbidden', `${path} cannot be made; choose another folder with --home.`, { cause })
  }
  const { real, mode } = requireOwnFolder(path)
  if ((mode & 0o077) !== 0) chmodSync(real, 0o700)
  return real
}

export function requireOutsideProject(path: string, userHome: string | undefined): void {
  const project = projectContaining(path, userHome)
  if (project === undefined) return
  throw new AppError(
    'forbidden',
    `The home folder ${path} lies inside the project ${project}, where sessions could read and change it; choose a folder outside of it with --home or PLEXUS_HOME.`,
  )
}

/** A folder into which nobody else can put anything, and which nobody else can replace: its real path, and its mode. */
export function requireOwnFolder(path: string): { real: string; mode: number } {
  const link = lstatSync(path)
  if (link.isSymbolicLink() && !isTrustedOwner(link.uid))
    throw unsafeHomeError(path, 'is a link that belongs to someone else')
  const real = realpathSync.native(path)
  const found = statSync(real)
  if (!found.isDirectory()) throw unsafeHomeError(path, 'is not a folder')
  if (found.uid !== process.getuid?.()) throw unsafeHomeError(path, 'belongs to someone else')
  if ((found.mode & 0o022) !== 0) throw unsafeHomeError(path, 'can be written by others')
  for (const folder of ancestorsOf(real)) {
    const { mode } = statSync(folder)
    // In a sticky folder (/tmp) only the owner of an entry can move it.
    if ((mode & 0o002) !== 0 && (mode & 0o1000) === 0)
      throw unsafeHomeError(path, `lies in ${folder}, which everybody can write`)
  }
  return { real, mode: found.mode & 0o7777 }
}

/**
 * The project that a folder is or is in: a folder with `.git`. The user's own home is not a project, though many keep their
 * dotfiles under git there, and neither is any folder above it.
 */
function projectContaining(path: string, userHome: string | undefined): string | undefined {
  const own = userHome ? realPathOfExisting(userHome) : undefined
  const exempt = own === undefined ? [] : [own, ...ancestorsOf(own)]
  const real = realPathOfExisting(path)
  for (const folder of [real, ...ancestorsOf(real)])
    if (!exempt.includes(folder) && exists(join(folder, '.git'))) return folder
  return undefined
}

/** Nothing is created before the check, so the last parts of the path may not exist yet. */
function realPathOfExisting(path: string): string {
  const parent = dirname(path)
  try {
    return realpathSync.native(path)
  } catch (error) {
    if (parent === path || !isErrno(error, 'ENOENT')) return path
    return join(realPathOfExisting(parent), basename(path))
  }
}

function exists(path: string): boolean {
  try {
    lstatSync(path)
    return true
  } catch {
    return false
  }
}

function isTrustedOwner(uid: number): boolean {
  return uid === 0 || uid === process.getuid?.()
}

function ancestorsOf(path: string): string[] {
  const parent = dirname(path)
  return parent === path ? [] : [parent, ...ancestorsOf(parent)]
}

function unsafeHomeError(path: string, why: string): AppError {
  return new AppError(
    'forbidden',
    `The home folder ${path} ${why}; use a folder that is yours alone (chmod 700), or another with --home.`,
  )
}
