import { rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '../../base/errors.ts'
import { isErrno } from '../../base/errno.ts'
import type { RunFolder } from './run-folder.ts'

/**
 * Lays a whole line into the folder: by rename, because half a line on its stdin kills the CLI and a hub can die in
 * the middle of a write. The keeper has to be rung afterwards. Returns where it lies; undefined when the run folder is
 * gone, and with it the child.
 */
export async function layLine(run: RunFolder, line: string | Buffer): Promise<string | undefined> {
  const name = nextName()
  const [draft, laid] = [join(run.path, `draft-${name}`), join(run.todo, name)]
  try {
    await writeFile(draft, line, PRIVATE)
    await rename(draft, laid)
    return laid
  } catch (error) {
    await rm(draft, { force: true }).catch(() => {}) // the first failure is the one to tell
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
 * Names sort in the order of their making and are never used twice in a run, across hubs too: the monotonic
 * clock is the machine's own since its start, which no run outlives, and no jump of the wall clock touches it.
 */
function nextName(): string {
  count += 1
  return `${process.hrtime.bigint().toString().padStart(20, '0')}-${String(count).padStart(9, '0')}`
}
