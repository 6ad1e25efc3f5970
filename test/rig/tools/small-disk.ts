/** A disk of its own for a folder, small enough to be filled. */
import { spawnSync } from 'node:child_process'
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { onTestFinished, type TestContext } from 'vitest'
import { isErrno } from '../../../src/base/errno.ts'

/** Skips the test, and says so, where nobody may mount. Gone when the test is over. */
export function mountSmallDisk(test: TestContext, folder: string, megabytes: number): void {
  const options = `size=${megabytes}m,mode=0700`
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder])
  test.skip(mounted.status !== 0, 'needs the right to mount a small disk')
  onTestFinished(() => void spawnSync('umount', ['-l', folder]))
}

/** Takes so many megabytes of the folder's disk, or all there are. */
export async function fill(folder: string, megabytes = Infinity): Promise<{ free: () => Promise<void> }> {
  const path = join(folder, 'ballast')
  const file = await open(path, 'w')
  const megabyte = Buffer.alloc(1 << 20, 1)
  try {
    // Into a full disk a write is short at first, so this goes to the last page: not even a small message fits.
    for (let left = megabytes * megabyte.length; left > 0;)
      left -= (await file.write(megabyte, 0, Math.min(left, megabyte.length))).bytesWritten
  } catch (error) {
    if (!isErrno(error, 'ENOSPC')) throw error
  } finally {
    await file.close()
  }
  return { free: () => rm(path, { force: true }) }
}
