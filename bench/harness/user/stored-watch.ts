import { watch } from 'node:fs'
import { join } from 'node:path'
import { clockNow } from './page.ts'

export interface StoredWatch {
  /** When the hub first stored something at or after this time; that time itself if nothing was seen. */
  readonly firstAfter: (time: number) => number
  readonly close: () => void
}

/**
 * Sees from outside when a hub stores something: a step is stored when it is in the log of the database. The system reports the
 * first write of a commit, which is a little before its end.
 */
export function watchStored(home: string): StoredWatch {
  const times: number[] = []
  const watcher = watch(join(home, 'plexus.db-wal'), () => times.push(clockNow()))
  return {
    firstAfter: (time) => times.find((seen) => seen >= time) ?? time,
    close: () => watcher.close(),
  }
}
