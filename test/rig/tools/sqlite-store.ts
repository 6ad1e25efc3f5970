import { join } from 'node:path'
import { openSqliteStore } from '../../../src/store/sqlite/open.ts'
import { temporaryFolder } from '../cli/real-cli.ts'

/** In a file of its own, as a hub has it: a name such as `:memory:` would be a file in the folder that the tests run in. */
export async function sqliteStoreOfTest() {
  return openSqliteStore(join(await temporaryFolder(), 'plexus.db'))
}
