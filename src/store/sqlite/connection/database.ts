import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import { createRequire, isBuiltin } from 'node:module'
import { dirname, join } from 'node:path'

/** The part that we use is the same in `node:sqlite` and in the package for versions of Node without it. */
export type Database = Pick<DatabaseSyncInstance, 'exec' | 'prepare' | 'close'>

// Not `import`: a bundler would follow it into the package, whose native part must stay where it is.
const load = createRequire(import.meta.url)

interface Driver {
  readonly DatabaseSync: new (path: string, options?: { readOnly: boolean }) => Database
}

export function openDatabase(path: string, { readOnly = false } = {}): Database {
  const driver: Driver = isBuiltin('node:sqlite') ? quietly(() => load('node:sqlite')) : packagedDriver()
  return new driver.DatabaseSync(path, { readOnly })
}

/**
 * The native part of the package, from the path that it has on most systems. The package's own entry searches several
 * folders first, which takes ten times as long as the loading; it is used only if the file is not at this path.
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
