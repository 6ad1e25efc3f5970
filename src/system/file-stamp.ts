import type { BigIntStats } from 'node:fs'

/** Changes with the content, the mode and the owner of a file; undefined if there is none. */
export function fileStamp(found: BigIntStats | undefined): string | undefined {
  return found && `${found.ino} ${found.size} ${found.ctimeNs}`
}
