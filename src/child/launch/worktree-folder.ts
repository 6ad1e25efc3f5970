import { existsSync, lstatSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { AppError } from '../../base/errors.ts'

/**
 * Where the CLI creates a worktree for a session that works in `dir` (a real path): below the root of the repository, which
 * may be far above. Undefined if that is not certain: outside a repository, and inside a worktree or submodule, whose
 * repository is elsewhere.
 */
export function worktreeFolder(dir: string): string | undefined {
  const git = join(dir, '.git')
  if (existsSync(git))
    return lstatSync(git).isDirectory() ? realPathOf(join(dir, '.claude/worktrees')) : undefined
  const parent = dirname(dir)
  return parent === dir ? undefined : worktreeFolder(parent)
}

/** For a path that does not exist yet: where it would be created, with every link on the way resolved. */
function realPathOf(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return join(realPathOf(dirname(path)), path.slice(dirname(path).length))
  }
}

/**
 * To create a worktree the CLI runs git, and git runs what the repository says: its hooks and filters where the CLI is old, and
 * with every version the programs of a remote that a part of the files must be fetched from. No setting of ours stops all of these.
 */
export function requireTrustForWorktree(trusted: boolean): void {
  if (trusted) return
  throw new AppError(
    'invalid_input',
    'To make a worktree runs programs of the repository, and nobody has trusted this folder; plexus trust DIR trusts it, or make the worktree yourself and start the session there.',
  )
}
