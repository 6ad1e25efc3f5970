import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import { createRequire, isBuiltin } from 'node:module'
import { loadAddon } from './sqlite-addon.ts'

/** The part that we use is the same in `node:sqlite` and in the addon for versions of Node without it. */
export type Database = Pick<DatabaseSyncInstance, 'exec' | 'prepare' | 'close'>

// Not `import`: a Node without it would not start.
const load = createRequire(import.meta.url)

export interface Driver {
  readonly DatabaseSync: new (path: string, options?: { readOnly: boolean }) => Database
}

export function openDatabase(path: string, { readOnly = false } = {}): Database {
  const driver: Driver = isBuiltin('node:sqlite') ? quietly(() => load('node:sqlite')) : loadAddon()
  return new driver.DatabaseSync(path, { readOnly })
}

/** Node 22 warns on stderr that its SQLite is experimental. Loading is synchronous, so no other warning is lost. */
function quietly<T>(work: () => T): T {
  const emitWarning = process.emitWarning.bind(process)
  process.emitWarning = () => {}
  try {
    return work()
  } finally {
    process.emitWarning = emitWarning
  }
}
