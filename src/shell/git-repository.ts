import { dirname, join, resolve } from 'node:path'
import { isQuietConfig } from './harmless-git.ts'
import { type Bounds, type Files, isInBounds } from './path-bounds.ts'

/**
 * Whether git, asked to read in this folder, reads its own repository and runs nothing. A repository that begins above the
 * session's folders shows what lies beside them; one whose configuration names programs runs them to show a difference.
 */
export function isQuietRepository(files: Files, bounds: Bounds, cwd: string): boolean {
  const root = rootOf(files, bounds, cwd)
  const folder = root === undefined ? undefined : gitFolderOf(files, root)
  const names = isInBounds(bounds, folder) ? files.names(folder) : undefined
  if (folder === undefined || !names) return false
  // The repositories of submodules have configurations of their own.
  if (names.includes('modules')) return false
  // Reading refreshes the index, and that calls this hook.
  if (files.names(join(folder, 'hooks'))?.includes('post-index-change') === true) return false
  const configs = ['config', ...(names.includes('config.worktree') ? ['config.worktree'] : [])]
  return configs.every((name) => {
    const text = files.text(join(folder, name))
    return text !== undefined && isQuietConfig(text)
  })
}

/** A worktree has a file in its place, which names the folder of its repository. */
function gitFolderOf(files: Files, root: string): string | undefined {
  const path = join(root, '.git')
  const own = /^gitdir: (.+)\n?$/.exec(files.text(path) ?? '')?.[1]
  if (own === undefined) return files.realPath(path)
  const common = files.text(join(resolve(root, own), 'commondir'))?.trim()
  return common === undefined ? undefined : files.realPath(resolve(root, own, common))
}

/** The nearest folder that has a `.git`, as long as it lies in bounds. */
function rootOf(files: Files, bounds: Bounds, cwd: string): string | undefined {
  for (let at = cwd; isInBounds(bounds, at); at = dirname(at)) {
    if (files.hasEntry(join(at, '.git'))) return at
    // A folder that is itself a bare repository brings a configuration with it.
    if (files.hasEntry(join(at, 'HEAD')) && files.hasEntry(join(at, 'objects'))) return undefined
    if (at === dirname(at)) return undefined
  }
  return undefined
}
