import { closeSync, openSync } from 'node:fs'
import { isErrno } from '../base/errno.ts'

/**
 * The number of descriptors in reserve. Without one, a hub that may open no more files could not read /proc, so it could not
 * find the processes of a session that has to end, and would leave them running. One is needed, and each of the four file
 * threads of Node may take one in the moment in which they are free.
 */
const SPARE_COUNT = 5
let spare: number[] = []
openSpares()

/** Runs synchronous work that opens one file at a time; if no file can be opened, it runs again with the reserve closed. */
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
    // There are fewer for now; the next call tries again.
  }
}
