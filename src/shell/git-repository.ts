import { dirname, join, resolve } from 'node:path'
import { configRunsNothing } from './harmless-git.ts'
import { type Bounds, type FileLookup, isInBounds } from './path-bounds.ts'

/**
 * Whether a reading git command in this folder stays in its own repository and runs no program. A repository whose root is
 * above the session's folders shows files beside them; a repository whose configuration names programs runs them to show a
 * difference.
 */
export function gitRunsNothing(files: FileLookup, bounds: Bounds, cwd: string): boolean {
  const root = rootOf(files, bounds, cwd)
  const folder = root === undefined ? undefined : gitFolderOf(files, root)
  const names = isInBounds(bounds, folder) ? files.names(folder) : undefined
  if (folder === undefined || !names) return false
  // Submodules have their own configuration.
  if (names.includes('modules')) return false
  // Reading refreshes the index, and that runs this hook.
  if (files.names(join(folder, 'hooks'))?.includes('post-index-change') === true) return false
  const configs = ['config', ...(names.includes('config.worktree') ? ['config.worktree'] : [])]
  return configs.every((name) => {
    const text = files.text(join(folder, name))
    return text !== undefined && configRunsNothing(text)
  })
}

/** In a worktree `.git` is a file that names the folder of its repository. */
function gitFolderOf(files: FileLookup, root: string): string | undefined {
  const path = join(root, '.git')
  const gitFile = /^gitdir: (.+)\n?$/.exec(files.text(path) ?? '')?.[1]
  if (gitFile === undefined) return files.realPath(path)
  const common = files.text(join(resolve(root, gitFile), 'commondir'))?.trim()
  return common === undefined ? undefined : files.realPath(resolve(root, gitFile, common))
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
