import { closeSync, constants, fstatSync, openSync, statSync, writeSync } from 'node:fs'
import { type ChildMessage, lineOf } from '../lines/message-line.ts'
import { layLine } from './message-files.ts'
import type { RunFolder } from './run-folder.ts'

/** How a message was put: into the pipe; into the folder, from where the keeper feeds it; or nowhere, the folder is gone. */
export type Put = 'written' | { readonly laid: string } | 'folder gone'

/**
 * The way into a child: two ways for whole lines, and one order. Half a line on its stdin kills the CLI, and a hub can die in
 * the middle of a write. So a line goes into the folder, from where the keeper feeds it; or, when it is short, by one write
 * into the pipe, which the system does whole or not at all, and which spares the child the wait for another process. That is
 * done only after the keeper has fed the last file that we laid: until then the pipe is the keeper's. What another hub laid we
 * do not know, so our first message goes into the folder too (`lastLaid` is undefined).
 */
export async function putMessage(
  run: RunFolder,
  message: ChildMessage,
  lastLaid: string | undefined,
): Promise<Put> {
  const line = Buffer.from(lineOf(message))
  if (lastLaid !== undefined && isFed(lastLaid) && writeAtOnce(run.stdin, line)) return 'written'
  const laid = await layLine(run, line)
  return laid === undefined ? 'folder gone' : { laid }
}

/** The keeper empties what it has fed, and removes it later. */
function isFed(laid: string): boolean {
  return (statSync(laid, { throwIfNoEntry: false })?.size ?? 0) === 0
}

/** False when it cannot be done whole and at once, whatever the reason: then the folder is the way, and reports what is wrong. */
function writeAtOnce(pipe: string, line: Buffer): boolean {
  if (line.length > PIPE_BUF) return false
  try {
    // Not held open: the end of the child's input is the keeper's to give.
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

/** Up to this many bytes POSIX promises a write that is not divided; the least that it may be is 512. */
const PIPE_BUF = process.platform === 'linux' ? 4_096 : 512
