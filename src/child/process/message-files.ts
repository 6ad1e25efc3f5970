import { rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '../../base/errors.ts'
import { isErrno } from '../../base/errno.ts'
import type { RunFolder } from './run-folder.ts'

/**
 * Writes a whole line to a file in the folder: by rename, because half a line on its stdin kills the CLI and a hub can die in
 * the middle of a write. The caller must ring the keeper afterwards. Returns the path of the file; undefined if the run
 * folder is gone, and with it the child.
 */
export async function writeMessageFile(run: RunFolder, line: string | Buffer): Promise<string | undefined> {
  const name = nextName()
  const [draft, file] = [join(run.path, `draft-${name}`), join(run.todo, name)]
  try {
    await writeFile(draft, line, PRIVATE)
    await rename(draft, file)
    return file
  } catch (error) {
    await rm(draft, { force: true }).catch(() => {}) // only the first failure is reported
    if (isErrno(error, 'ENOENT')) return undefined
    if (isErrno(error, 'ENOSPC', 'EDQUOT'))
      throw new AppError('storage_full', 'The disk of PLEXUS_HOME is full; free some space and try again.', {
        cause: error,
      })
    throw error
  }
}

const PRIVATE = { mode: 0o600, flag: 'wx' } as const

let count = 0

/**
 * Names sort in the order of their creation and are never used twice in a run, not even by another hub: the monotonic clock
 * counts since the start of the machine, which no run outlives, and no jump of the wall clock changes it.
 */
function nextName(): string {
  count += 1
  return `${process.hrtime.bigint().toString().padStart(20, '0')}-${String(count).padStart(9, '0')}`
}
