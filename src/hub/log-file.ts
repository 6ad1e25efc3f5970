import { constants, copyFileSync, fstatSync, ftruncateSync, lstatSync } from 'node:fs'
import { type FileHandle, open, rename, stat } from 'node:fs/promises'

const STDERR = 2
const MAX_LOG_BYTES = 4 << 20
const MAX_BYTES_AT_START = 1 << 20
/** How much is written between two checks of the size. */
const CHECK_BYTES = 64 << 10

/**
 * Wraps `write` and limits the log in the home folder: beyond some megabytes the log is emptied, and its old content is kept
 * in one `.old` file. Only if stderr is that very file, as for a hub in the background: any other log is not ours to limit.
 */
export function withLogLimit(
  path: string,
  write: (line: string) => void,
  { fd = STDERR, maxBytes = MAX_LOG_BYTES } = {},
): (line: string) => void {
  let unchecked = CHECK_BYTES
  return (line) => {
    write(line)
    unchecked += line.length
    if (unchecked < CHECK_BYTES) return
    unchecked = 0
    try {
      rotateIfLarge(path, fd, maxBytes)
    } catch {
      // Perhaps the disk is full. A log that cannot be limited is no reason to end.
    }
  }
}

/** The file is emptied and not replaced, because stderr of this process is its descriptor and appends to it. */
function rotateIfLarge(path: string, fd: number, maxBytes: number): void {
  const own = fstatSync(fd)
  if (!own.isFile() || own.size < maxBytes) return
  const named = lstatSync(path, { throwIfNoEntry: false })
  if (named?.ino !== own.ino || named.dev !== own.dev) return
  copyFileSync(path, `${path}.old`)
  ftruncateSync(fd)
}

/** Opens the log of a home folder to append to it. Does not follow a link, and starts a new file beyond the size limit. */
export async function openLogFile(path: string): Promise<FileHandle> {
  const { size = 0 } = (await stat(path).catch(() => undefined)) ?? {}
  if (size > MAX_BYTES_AT_START) await rename(path, `${path}.old`)
  const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW } = constants
  return open(path, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW, 0o600)
}
