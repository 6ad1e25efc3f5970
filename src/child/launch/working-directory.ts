import { realpathSync, statSync } from 'node:fs'
import { isAbsolute, resolve } from 'node:path'
import { AppError } from '../../base/errors.ts'

/**
 * The real path of a folder that exists. Links are resolved here, once, so that trust, the deny rules and the hook judge
 * the same folder that the child will work in. Synchronous: starting a process in a folder blocks on the disk as well, and
 * a thread for each system call costs ten times as much as the call.
 */
export function realDirectory(path: string): string {
  const shown = JSON.stringify(path)
  if (path === '' || path.includes('\0'))
    throw new AppError('invalid_input', `The folder ${shown} is not a path; name one that exists.`)
  try {
    const real = realpathSync.native(resolve(path))
    if (statSync(real).isDirectory()) return real
  } catch (cause) {
    throw new AppError('invalid_input', `The folder ${shown} cannot be used; name one that exists.`, {
      cause,
    })
  }
  throw new AppError('invalid_input', `${shown} is not a folder; name the folder to work in.`)
}

/** For callers without a current folder: there is no default to work in, and no folder to resolve a relative path from. */
export function requireFullPath(folder: string | undefined): void {
  if (folder !== undefined && isAbsolute(folder)) return
  throw new AppError(
    'invalid_input',
    `workingDirectory must be ${folder === undefined ? 'given' : 'a full path'} here: the hub runs in the background, in no folder of yours.`,
    { data: { field: 'workingDirectory' } },
  )
}
