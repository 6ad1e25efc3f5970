import { lstat, mkdir, open, readdir, writeFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openDatabase } from '../../../src/store/sqlite/connection/database.ts'
import { MIGRATIONS } from '../../../src/store/sqlite/migrations.ts'
import { openSqliteStore } from '../../../src/store/sqlite/open.ts'
import { refusalOf } from '../../contracts/refusal.ts'
import { aSession, aStep, seqsOf } from '../../contracts/rows.ts'
import { storeFolder } from '../../rig/hubs/store-folder.ts'

describe('R19: the version of the database', () => {
  const place = storeFolder()

  const next = [...MIGRATIONS, 'CREATE TABLE more (x TEXT) STRICT;']
  const backup = () => `${place.path}.backup-v${MIGRATIONS.length}`

  async function makeStore(): Promise<void> {
    const store = await openSqliteStore(place.path)
    await store.sessions.create(aSession())
    await store.journal.append(aStep(3))
    await store.close()
  }

  it('is refused when it is newer, in one sentence, and the database stays as it was', async () => {
    await makeStore()
    await (await openSqliteStore(place.path, { migrations: next })).close()
    const refusal = await refusalOf(openSqliteStore(place.path))
    expect(refusal.code).toBe('invalid_input')
    expect(refusal.message).toMatch(
      /^[^\n]+ was written by a newer Plexus [^\n]+; update Plexus, or [^\n]+\.$/,
    )
    const store = await openSqliteStore(place.path, { migrations: next })
    expect(await seqsOf(store, 0, 9)).toEqual([1, 2, 3])
    await store.close()
  })

  it('is raised when it is older, with a private backup of what was there', async () => {
    await makeStore()
    const store = await openSqliteStore(place.path, { migrations: next })
    expect(await store.journal.append(aStep(1))).toBe(4)
    await store.close()
    expect((await lstat(backup())).mode & 0o777).toBe(0o600)
    const old = await openSqliteStore(backup())
    expect(await seqsOf(old, 0, 9)).toEqual([1, 2, 3])
    await old.close()
  })

  it('is raised without losing what belongs to a table that is made anew', async () => {
    await makeStore()
    const [first = ''] = MIGRATIONS
    const sessions = /CREATE TABLE sessions[^;]+;/.exec(first)?.[0] ?? ''
    const anew = `${sessions.replace('sessions', 'copy')}
      INSERT INTO copy SELECT * FROM sessions; DROP TABLE sessions; ALTER TABLE copy RENAME TO sessions;`
    const store = await openSqliteStore(place.path, { migrations: [...MIGRATIONS, anew] })
    expect(await seqsOf(store, 0, 9)).toEqual([1, 2, 3])
    expect(await store.journal.append(aStep(1))).toBe(4)
    await store.sessions.remove('s1')
    expect(await seqsOf(store, 0, 9)).toEqual([])
    await store.close()
  })

  it('is not raised without a backup', async () => {
    await makeStore()
    await mkdir(backup())
    const refusal = await refusalOf(openSqliteStore(place.path, { migrations: next }))
    expect(refusal.message).toContain(backup())
    const store = await openSqliteStore(place.path)
    expect(await seqsOf(store, 0, 9)).toEqual([1, 2, 3])
    await store.close()
  })

  it('is not raised when something would belong to nothing', async () => {
    await makeStore()
    const migrations = [...MIGRATIONS, 'DELETE FROM sessions;']
    expect((await refusalOf(openSqliteStore(place.path, { migrations }))).code).toBe('internal')
    const store = await openSqliteStore(place.path)
    expect(await seqsOf(store, 0, 9)).toEqual([1, 2, 3])
    await store.close()
  })

  it('needs no backup when the database is new or as it should be', async () => {
    await makeStore()
    await (await openSqliteStore(place.path)).close()
    expect((await readdir(place.folder)).filter((file) => file.includes('backup'))).toEqual([])
  })

  it('is raised as a whole or not at all, and can be raised again after a failure', async () => {
    await makeStore()
    const broken = [...next, 'CREATE TABLE even_more (x TEXT) STRICT; CREATE TABLE more (x TEXT) STRICT;']
    expect((await refusalOf(openSqliteStore(place.path, { migrations: broken }))).code).toBe('internal')
    const store = await openSqliteStore(place.path)
    expect(await seqsOf(store, 0, 9)).toEqual([1, 2, 3])
    await store.close()
    // A backup that was not finished is in nobody's way.
    await writeFile(`${backup()}.new`, 'half of a backup')
    await (await openSqliteStore(place.path, { migrations: next })).close()
    expect((await readdir(place.folder)).filter((file) => file.includes('backup'))).toEqual([
      basename(backup()),
    ])
  })
})

describe('R19: what is no database of ours', () => {
  const place = storeFolder()

  it('is refused when it is another kind of file', async () => {
    await writeFile(place.path, 'This is a letter, not a database.\n'.repeat(200))
    const refusal = await refusalOf(openSqliteStore(place.path))
    expect(refusal.code).toBe('internal')
    expect(refusal.message).toMatch(/^[^\n]+ is damaged or no database of Plexus; [^\n]+\.$/)
  })

  it('is refused when it is damaged', async () => {
    await (await openSqliteStore(place.path)).close()
    const file = await open(place.path, 'r+')
    await file.write(Buffer.alloc(2000, 0xee), 0, 2000, 100)
    await file.close()
    expect((await refusalOf(openSqliteStore(place.path))).message).toContain('is damaged')
  })

  it("is refused when it is another program's", async () => {
    const database = openDatabase(place.path)
    database.exec('CREATE TABLE sessions (theirs TEXT)')
    database.close()
    const refusal = await refusalOf(openSqliteStore(place.path))
    expect(refusal.code).toBe('invalid_input')
    expect(refusal.message).toContain('another program')
  })
})
