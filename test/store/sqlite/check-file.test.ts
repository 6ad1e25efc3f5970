import { copyFile, open, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { checkDatabaseFile } from '../../../src/store/sqlite/check-file.ts'
import { openDatabase } from '../../../src/store/sqlite/connection/database.ts'
import { openSqliteStore } from '../../../src/store/sqlite/open.ts'
import { temporaryFolder } from '../../rig/cli/real-cli.ts'

const check = (path: string) => checkDatabaseFile(path, { whole: true })

async function storeFile(): Promise<string> {
  const path = join(await temporaryFolder(), 'plexus.db')
  await (await openSqliteStore(path)).close()
  return path
}

test('a database of a hub is sound, also while a hub has it open, and nothing is written', async () => {
  const path = await storeFile()
  const before = await readFile(path)
  expect(check(path)).toBeUndefined()
  expect(await readFile(path)).toEqual(before)
  const store = await openSqliteStore(path)
  expect(check(path)).toBeUndefined()
  await store.close()
})

test('a database of a newer Plexus, or of another program, is named as such', async () => {
  const path = await storeFile()
  const newer = openDatabase(path)
  newer.exec('PRAGMA user_version = 999')
  newer.close()
  expect(check(path)).toMatch(/was written by a newer Plexus \(version 999, .*update Plexus/)
  const other = join(path, '../other.db')
  const foreign = openDatabase(other)
  foreign.exec('CREATE TABLE t (x)')
  foreign.close()
  expect(check(other)).toContain('is a database of another program')
})

test('a damaged page and a file that is no database are named', async () => {
  const path = await storeFile()
  const copy = join(path, '../copy.db')
  await copyFile(path, copy)
  const file = await open(copy, 'r+')
  const { size } = await file.stat()
  for (let page = 2; page * 4_096 < size; page++)
    await file.write(Buffer.alloc(64, 0xa5), 0, 64, page * 4_096)
  await file.close()
  expect(check(copy)).toMatch(/copy\.db is damaged.*put a backup in its place or move it away\.$/)
  await writeFile(copy, 'no database'.repeat(1_000))
  expect(check(copy)).toMatch(/copy\.db is damaged or no database of Plexus/)
  expect(check(join(path, '../absent.db'))).toMatch(/absent\.db cannot be read or written/)
})
