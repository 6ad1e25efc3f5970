import { isAscii } from 'node:buffer'
import { renameSync, writeFileSync } from 'node:fs'
import { rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '../errors.ts'
import { isErrno } from '../errno.ts'
import type { RunFolder } from './run-folder.ts'

/** One line for the child's stdin. */
export type ChildMessage = Readonly<Record<string, unknown>>

/** U+2028 and U+2029 are legal inside JSON strings but end a line for some readers. */
export function lineOf(message: ChildMessage): string {
  return `${JSON.stringify(message).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')}\n`
}

/**
 * Lays a whole message into the folder: by rename, because half a line on its stdin kills the CLI and a hub can
 * die in the middle of a write. The keeper has to be rung afterwards. False when the run folder is gone, and with
 * it the child.
 *
 * A short one is written synchronously: the child stands still until it has its answer, and waiting four times for a
 * thread takes longer than the calls themselves.
 */
export async function layMessage(run: RunFolder, message: ChildMessage): Promise<boolean> {
  const line = Buffer.from(lineOf(message))
  const short = isShort(line)
  const name = short ? `${nextName()}.short` : nextName()
  const [draft, laid] = [join(run.path, `draft-${name}`), join(run.todo, name)]
  try {
    if (short) {
      writeFileSync(draft, line, PRIVATE)
      renameSync(draft, laid)
    } else {
      await writeFile(draft, line, PRIVATE)
      await rename(draft, laid)
    }
    return true
  } catch (error) {
    await rm(draft, { force: true }).catch(() => {}) // the first failure is the one to tell
    if (isErrno(error, 'ENOENT')) return false
    if (isErrno(error, 'ENOSPC', 'EDQUOT'))
      throw new AppError('storage_full', 'The disk of PLEXUS_HOME is full; free some space and try again.', {
        cause: error,
      })
    throw error
  }
}

/** What the keeper's shell passes on by itself: some shells read byte by byte and stumble over others than ASCII. */
function isShort(line: Buffer): boolean {
  return line.length <= SHORT_BYTES && isAscii(line)
}

const SHORT_BYTES = 2_048
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
