import { setImmediate } from 'node:timers/promises'
import type { Connection } from './connection/connection.ts'

/** Makes it possible to shrink a file of an earlier version: that rewrites the whole file, once. */
export function enableShrink(connection: Connection): void {
  const { auto_vacuum: mode }: { auto_vacuum: number } = connection.get('PRAGMA auto_vacuum')
  if (mode !== INCREMENTAL) connection.exec('PRAGMA auto_vacuum = INCREMENTAL; VACUUM')
}

/**
 * Returns empty pages to the system. In steps, because nothing else can be written meanwhile; a few pages stay, because the
 * next events need them.
 */
export async function shrink(connection: Connection): Promise<void> {
  let free = freePages(connection)
  if (free <= SPARE_PAGES) return
  while (free > SPARE_PAGES) {
    connection.exec(`PRAGMA incremental_vacuum(${Math.min(PAGES_PER_STEP, free - SPARE_PAGES)})`)
    const left = freePages(connection)
    if (left >= free) break // a file that cannot be shrunk
    free = left
    await setImmediate()
  }
  connection.exec('PRAGMA wal_checkpoint(TRUNCATE)')
}

function freePages(connection: Connection): number {
  const { freelist_count: free }: { freelist_count: number } = connection.get('PRAGMA freelist_count')
  return free
}

const INCREMENTAL = 2
const SPARE_PAGES = 1_000
/** 4 MiB: some ten milliseconds. */
const PAGES_PER_STEP = 1_000
