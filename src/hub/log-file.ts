import { copyFileSync, fstatSync, ftruncateSync, lstatSync } from 'node:fs'

const STDERR = 2
const MAX_LOG_BYTES = 4 << 20
/** How much is written between two looks at the size. */
const CHECK_BYTES = 64 << 10

/**
 * Writes lines as `write` does, and sees to it that the log in the home folder has an end: beyond some megabytes it is begun
 * anew, and what it held is kept beside it once. Only where stderr is that very file, which a hub in the background is
 * given: a log that somebody else keeps is theirs to limit.
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
      // A full disk, perhaps. The log is no reason to end.
    }
  }
}

/** The file is emptied and not replaced: its descriptor is the one that this process has, and writes at its end. */
function rotateIfLarge(path: string, fd: number, maxBytes: number): void {
  const own = fstatSync(fd)
  if (!own.isFile() || own.size < maxBytes) return
  const named = lstatSync(path, { throwIfNoEntry: false })
  if (named?.ino !== own.ino || named.dev !== own.dev) return
  copyFileSync(path, `${path}.old`)
  ftruncateSync(fd)
}
