import { dirname, join } from 'node:path'
import { configRunsNothing } from './harmless-uses/harmless-git.ts'
import { type Bounds, type FileLookup, isInBounds, resolvePath } from './path-bounds.ts'

/**
 * Whether a reading git command in this folder stays in its own repository and runs no program. A repository whose root is
 * above the session's folders shows files beside them; a repository whose configuration names programs runs them to show a
 * difference. Where git would look further than we do, that is not known.
 */
export function gitRunsNothing(files: FileLookup, bounds: Bounds, cwd: string): boolean {
  const root = rootOf(files, bounds, cwd)
  const repository = root === undefined ? undefined : repositoryOf(files, root)
  if (!repository) return false
  const { own, common } = repository
  const folders = own === common ? [own] : [own, common]
  if (!folders.every((folder) => isInBounds(bounds, folder) && hasNoLinks(files, folder))) return false
  if (!isRepository(files, repository) || !hasOwnObjects(files, join(common, 'objects'))) return false
  return hasNoSubmodules(files, repository) && folders.every((folder) => runsNothing(files, folder))
}

/** A worktree has a folder of its own, with its index, beside the folder that all of them have in common. */
interface Repository {
  readonly own: string
  readonly common: string
}

/** In a worktree `.git` is a file that names its folder, and that has a file which names the common one. */
function repositoryOf(files: FileLookup, root: string): Repository | undefined {
  const path = join(root, '.git')
  const gitFile = /^gitdir: (.+)\n?$/.exec(files.text(path) ?? '')?.[1]
  const own = gitFile === undefined ? files.realPath(path) : resolvePath(files, root, gitFile)
  if (own === undefined) return undefined
  // In a plain `.git` folder git would follow that file too; nobody needs one there.
  if (gitFile === undefined) return files.hasEntry(join(own, 'commondir')) ? undefined : { own, common: own }
  const named = files.text(join(own, 'commondir'))?.trim()
  const common = named === undefined ? undefined : resolvePath(files, own, named)
  return common === undefined ? undefined : { own, common }
}

/** What is no repository for git it passes over, and it takes the next one above, whose settings nobody has read here. */
function isRepository(files: FileLookup, { own, common }: Repository): boolean {
  // A folder that may be listed and not entered is none for git.
  const isEntered = (name: string) => files.realPath(`${common}/${name}/.`) !== undefined
  if (!HEAD.test(files.text(join(own, 'HEAD')) ?? '') || !isEntered('objects') || !isEntered('refs'))
    return false
  return files.hasEntry(join(common, 'config'))
}

/** A link would show what lies elsewhere, such as the objects of another repository. */
function hasNoLinks(files: FileLookup, folder: string): boolean {
  const names = files.names(folder)
  return names?.every((name) => files.realPath(join(folder, name)) === join(folder, name)) ?? false
}

function hasOwnObjects(files: FileLookup, objects: string): boolean {
  if (files.hasEntry(join(objects, 'info/alternates')) || !hasNoLinks(files, objects)) return false
  return !files.hasEntry(join(objects, 'pack')) || hasNoLinks(files, join(objects, 'pack'))
}

/** Submodules have their own configuration, wherever their repositories lie. */
function hasNoSubmodules(files: FileLookup, { own, common }: Repository): boolean {
  const names = [...(files.names(own) ?? []), ...(files.names(common) ?? [])]
  // A part of a split index is in a file of another name.
  if (names.some((name) => name === 'modules' || name.startsWith('sharedindex.'))) return false
  const index = join(own, 'index')
  return !files.hasEntry(index) || files.hasBytes(index, SUBMODULE_MODE) === false
}

function runsNothing(files: FileLookup, folder: string): boolean {
  // Reading refreshes the index, and that runs this hook.
  if (files.names(join(folder, 'hooks'))?.includes('post-index-change') === true) return false
  return ['config', 'config.worktree'].every((name) => {
    const path = join(folder, name)
    if (!files.hasEntry(path)) return true
    const text = files.text(path)
    return text !== undefined && configRunsNothing(text)
  })
}

/** The nearest folder that has a `.git`, as long as it is in bounds. */
function rootOf(files: FileLookup, bounds: Bounds, cwd: string): string | undefined {
  for (let folder = cwd; isInBounds(bounds, folder); folder = dirname(folder)) {
    if (files.hasEntry(join(folder, '.git'))) return folder
    // A folder that is itself a bare repository has its own configuration.
    if (files.hasEntry(join(folder, 'HEAD')) && files.hasEntry(join(folder, 'objects'))) return undefined
    if (folder === dirname(folder)) return undefined
  }
  return undefined
}

const HEAD = /^(?:ref: refs\/\S+|[0-9a-f]{40}|[0-9a-f]{64})\n?$/

/** How the index writes the mode of a submodule. Other fields may have the same bytes, which is rare: then it is asked about. */
const SUBMODULE_MODE: readonly number[] = [0, 0, 0xe0, 0]
