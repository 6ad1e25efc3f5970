import { chmod, lstat, mkdir, realpath, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { isErrno } from '../base/errno.ts'
import { AppError } from '../base/errors.ts'

/**
 * Makes the home folder, or makes sure that nobody else can put anything into it or into its place. Returns its real path.
 * Who can only read it is shut out; who can write there may have done so already, so that is not repaired but refused.
 */
export async function prepareHome(path: string, userHome: string | undefined): Promise<string> {
  const project = await projectContaining(path, userHome)
  if (project !== undefined)
    throw new AppError(
      'forbidden',
      `The home folder ${path} lies inside the project ${project}, where sessions could read and change it; choose a folder outside of it with --home or PLEXUS_HOME.`,
    )
  await mkdir(path, { recursive: true, mode: 0o700 }).catch((cause: unknown) => {
    throw new AppError('forbidden', `${path} cannot be made; choose another folder with --home.`, { cause })
  })
  const link = await lstat(path)
  if (link.isSymbolicLink() && !isTrustedOwner(link.uid))
    throw unsafeHomeError(path, 'is a link that belongs to someone else')
  const real = await realpath(path)
  const found = await stat(real)
  if (!found.isDirectory()) throw unsafeHomeError(path, 'is not a folder')
  if (found.uid !== process.getuid?.()) throw unsafeHomeError(path, 'belongs to someone else')
  if ((found.mode & 0o022) !== 0) throw unsafeHomeError(path, 'can be written by others')
  for (const folder of ancestorsOf(real)) {
    const { mode } = await stat(folder)
    // In a sticky folder (/tmp) only the owner of a thing can move it away.
    if ((mode & 0o002) !== 0 && (mode & 0o1000) === 0)
      throw unsafeHomeError(path, `lies in ${folder}, which everybody can write`)
  }
  if ((found.mode & 0o077) !== 0) await chmod(real, 0o700)
  return real
}

/**
 * The project that a folder is or lies in: one with `.git`. The user's own folder is no project, though many keep their
 * dotfiles under git there, and neither is anything above it.
 */
async function projectContaining(path: string, userHome: string | undefined): Promise<string | undefined> {
  const own = userHome ? await realPathOfExisting(userHome) : undefined
  const exempt = own === undefined ? [] : [own, ...ancestorsOf(own)]
  const real = await realPathOfExisting(path)
  for (const folder of [real, ...ancestorsOf(real)])
    if (!exempt.includes(folder) && (await exists(join(folder, '.git')))) return folder
  return undefined
}

/** Nothing is made before it is known that it may be, so the end of the path may not be there yet. */
async function realPathOfExisting(path: string): Promise<string> {
  const parent = dirname(path)
  return realpath(path).catch(async (error: unknown) => {
    if (parent === path || !isErrno(error, 'ENOENT')) return path
    return join(await realPathOfExisting(parent), basename(path))
  })
}

function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  )
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
