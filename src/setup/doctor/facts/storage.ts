import { existsSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { checkDatabaseFile } from '../../../store/sqlite/check-file.ts'
import { freeBytes, MIN_FREE_BYTES } from '../../../system/free-space.ts'
import type { StorageFacts } from '../checks/storage.ts'
import type { Place } from './place.ts'

/** A check reads the whole file, some hundred MB in a second. */
const MAX_CHECKED_BYTES = 256e6

export async function storageFacts({ home }: Place): Promise<StorageFacts> {
  const path = join(home, 'plexus.db')
  const disk = { path, freeBytes: freeBytes(nearestExisting(home)), minFreeBytes: MIN_FREE_BYTES }
  if (!existsSync(path)) return disk
  const bytes = statSync(path).size + (statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0)
  const checked = bytes <= MAX_CHECKED_BYTES
  return { ...disk, database: { bytes, checked, problem: checkDatabaseFile(path, { whole: checked }) } }
}

function nearestExisting(folder: string): string {
  return existsSync(folder) ? folder : nearestExisting(dirname(folder))
}
