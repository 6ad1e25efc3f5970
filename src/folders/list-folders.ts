import type { Dirent } from 'node:fs'
import { opendir, realpath, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isErrno } from '../base/errno.ts'
import { AppError } from '../base/errors.ts'
import { inOrder, isOffered, typedPath } from './typed-path.ts'

/** A folder that a person can choose. */
interface FolderChoice {
  readonly path: string
  /** Where a link leads: it is offered, but never as if it were a folder of its place. */
  readonly leadsTo?: string
}

export interface FolderList {
  /** The folder that was listed. */
  readonly folder: string
  /** Where it really is, if the path leads through a link. */
  readonly leadsTo?: string
  readonly folders: readonly FolderChoice[]
  /** There are more than are listed: type more of the name. */
  readonly hasMore: boolean
}

const MAX_FOLDERS = 50
/** A folder with more entries than this is listed in part. */
const MAX_ENTRIES = 20_000

/** The folders whose paths begin as typed. Of other files nothing is returned, not even that they exist. */
export async function listFolders(text: string, home: string | undefined): Promise<FolderList> {
  const typed = typedPath(text, home)
  if (!typed) throw new AppError('invalid_input', 'Type a path that begins with / or with ~/.')
  const { folder, beginning } = typed
  try {
    const { names, isCut } = await namesIn(folder, beginning)
    const folders: FolderChoice[] = []
    let isMore = isCut
    for (const { name, isLink } of names) {
      const choice = isLink ? await linkedFolder(join(folder, name)) : { path: join(folder, name) }
      if (!choice) continue
      if (folders.length === MAX_FOLDERS) {
        isMore = true
        break
      }
      folders.push(choice)
    }
    const real = await realpath(folder)
    return { folder, ...(real === folder ? {} : { leadsTo: real }), folders, hasMore: isMore }
  } catch (error) {
    throw sentenceFor(error, folder)
  }
}

interface Found {
  readonly name: string
  readonly isLink: boolean
}

async function namesIn(folder: string, beginning: string): Promise<{ names: Found[]; isCut: boolean }> {
  const links = new Map<string, boolean>()
  let count = 0
  for await (const entry of await opendir(folder)) {
    if (++count > MAX_ENTRIES) break
    if (mayBeFolder(entry) && isOffered(entry.name, beginning)) links.set(entry.name, entry.isSymbolicLink())
  }
  const names = inOrder([...links.keys()], beginning)
  return {
    names: names.map((name) => ({ name, isLink: links.get(name) === true })),
    isCut: count > MAX_ENTRIES,
  }
}

function mayBeFolder(entry: Dirent): boolean {
  return entry.isDirectory() || entry.isSymbolicLink()
}

async function linkedFolder(path: string): Promise<FolderChoice | undefined> {
  try {
    return (await stat(path)).isDirectory() ? { path, leadsTo: await realpath(path) } : undefined
  } catch {
    // A link to nowhere, in a circle, or into what the hub may not read.
    return undefined
  }
}

function sentenceFor(error: unknown, folder: string): unknown {
  if (isErrno(error, 'ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ELOOP'))
    return new AppError('not_found', `There is no folder ${folder}; check its spelling.`)
  if (isErrno(error, 'EACCES', 'EPERM'))
    return new AppError('not_found', `The hub may not read the folder ${folder}; choose another.`)
  return error
}
