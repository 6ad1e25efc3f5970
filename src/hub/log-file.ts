import { copyFileSync, fstatSync, ftruncateSync, lstatSync } from 'node:fs'

const STDERR = 2
const MAX_LOG_BYTES = 4 << 20
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
