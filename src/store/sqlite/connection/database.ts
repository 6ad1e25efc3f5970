import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import { createRequire, isBuiltin } from 'node:module'
import { dirname, join } from 'node:path'

/** What we use of it is the same in `node:sqlite` and in the package for Nodes that have none of their own. */
export type Database = Pick<DatabaseSyncInstance, 'exec' | 'prepare' | 'close'>

// Not `import`: a bundler would follow it into the package, whose native part must stay where it is.
const load = createRequire(import.meta.url)

interface Driver {
  readonly DatabaseSync: new (path: string) => Database
}

export function openDatabase(path: string): Database {
  const driver: Driver = isBuiltin('node:sqlite') ? quietly(() => load('node:sqlite')) : packagedDriver()
  return new driver.DatabaseSync(path)
}

/**
 * The native part of the package, from where the package has it for most systems. Its own entry searches several folders
 * first, which takes ten times as long as the loading, and it is used wherever this is not the place.
 */
function packagedDriver(): Driver {
  const name = '@photostructure/sqlite'
  try {
    const prebuilt = `prebuilds/${process.platform}-${process.arch}/${name.replace('/', '+')}.glibc.node`
    return load(join(dirname(load.resolve(name)), '..', prebuilt))
  } catch {
    return load(name)
  }
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
