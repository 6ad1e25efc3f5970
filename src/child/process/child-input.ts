import { closeSync, constants, fstatSync, openSync, statSync, writeSync } from 'node:fs'
import { type ChildMessage, lineOf } from '../lines/message-line.ts'
import { writeMessageFile } from './message-files.ts'
import type { RunFolder } from './run-folder.ts'

/** Where a message was written: into the pipe; into a file, which the keeper feeds to the child; or nowhere, the folder is gone. */
export type Put = 'written' | { readonly file: string } | 'folder gone'

/** The last file that we wrote for this child; `fed` once the keeper is known to have fed it, undefined if we wrote none. */
export type LastFile = { readonly file: string } | 'fed' | undefined

/**
 * Sends a whole line to a child in one of two ways, and keeps the order. Half a line on its stdin kills the CLI, and a hub can
 * die in the middle of a write. So a line is written to a file in the folder, which the keeper feeds to the child. A short line
 * is written to the pipe directly: the system does one short write whole or not at all, and the child need not wait for another
 * process. That is done only after the keeper has fed the last file that we wrote: until then the pipe is the keeper's. We do
 * not know the files of another hub, so our first message goes into the folder too (`lastFile` is undefined).
 */
export async function putMessage(run: RunFolder, message: ChildMessage, lastFile: LastFile): Promise<Put> {
  const line = Buffer.from(lineOf(message))
  if (lastFile !== undefined && isFed(lastFile) && writeAtOnce(run.stdin, line)) return 'written'
  const file = await writeMessageFile(run, line)
  return file === undefined ? 'folder gone' : { file }
}

/** The keeper empties a file that it has fed, and removes it later. */
function isFed(last: Exclude<LastFile, undefined>): boolean {
  return last === 'fed' || (statSync(last.file, { throwIfNoEntry: false })?.size ?? 0) === 0
}

/** False if the line cannot be written whole and at once, for any reason: then it goes into the folder, which reports the error. */
function writeAtOnce(pipe: string, line: Buffer): boolean {
  if (line.length > PIPE_BUF) return false
  try {
    // Not held open: only the keeper ends the child's input.
    const fd = openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW)
    try {
      return fstatSync(fd).isFIFO() && writeSync(fd, line) === line.length
    } finally {
      closeSync(fd)
    }
  } catch {
    return false
  }
}

/** Up to this many bytes POSIX guarantees an atomic write; the minimum that it allows is 512. */
const PIPE_BUF = process.platform === 'linux' ? 4_096 : 512
