import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import { createRequire, isBuiltin } from 'node:module'

/** What we use of it is the same in `node:sqlite` and in the package for Nodes that have none of their own. */
export type Database = Pick<DatabaseSyncInstance, 'exec' | 'prepare' | 'close'>

// Not `import`: a bundler would follow it into the package, whose native part must stay where it is.
const load = createRequire(import.meta.url)

export function openDatabase(path: string): Database {
  const driver: { DatabaseSync: new (path: string) => Database } = isBuiltin('node:sqlite')
    ? quietly(() => load('node:sqlite'))
    : load('@photostructure/sqlite')
  return new driver.DatabaseSync(path)
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
