import { closeSync, openSync } from 'node:fs'
import { isErrno } from '../base/errno.ts'

/**
 * Descriptors that are held back. Without one nobody could find the processes of a session that has to end, because that
 * reads /proc; so a hub that may open no more files would leave them behind. One is needed, and each thread that Node has
 * for files may take one in the moment in which they are free.
 */
const SPARE_COUNT = 5
let spare: number[] = []
openSpares()

/** Does synchronous work that opens one file at a time; when none can be opened, it is done again with what was held back. */
export function withSpareDescriptors<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (!isErrno(error, 'EMFILE', 'ENFILE')) throw error
  }
  for (const fd of spare) closeSync(fd)
  spare = []
  try {
    return work()
  } finally {
    openSpares()
  }
}

function openSpares(): void {
  try {
    while (spare.length < SPARE_COUNT) spare.push(openSync('/dev/null', 'r'))
  } catch {
    // There are fewer for now; whoever needs them next tries again.
  }
}
