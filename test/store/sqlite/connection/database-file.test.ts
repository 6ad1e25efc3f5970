import { chmod, lstat, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { openSqliteStore } from '../../../../src/store/sqlite/open.ts'
import { refusalOf } from '../../../contracts/refusal.ts'
import { aSession, aStep } from '../../../contracts/rows.ts'
import { storeFolder } from '../../../rig/hubs/store-folder.ts'

describe('S6: the files of the database', () => {
  const place = storeFolder()

  const modes = async () => {
    const files = (await readdir(place.folder)).toSorted()
    return Promise.all(
      files.map(
        async (file) => `${file} ${((await lstat(join(place.folder, file))).mode & 0o777).toString(8)}`,
      ),
    )
  }

  it('are for their user only, whatever the umask says', async () => {
    const umask = process.umask(0)
    const store = await openSqliteStore(place.path).finally(() => process.umask(umask))
    await store.sessions.create(aSession())
    expect(await modes()).toEqual(['plexus.db 600', 'plexus.db-shm 600', 'plexus.db-wal 600'])
    await store.close()
  })

  it('are made private when they were not', async () => {
    const store = await openSqliteStore(place.path)
    for (const file of [place.path, `${place.path}-wal`, `${place.path}-shm`]) await chmod(file, 0o644)
    const second = await openSqliteStore(place.path)
    expect(await modes()).toEqual(['plexus.db 600', 'plexus.db-shm 600', 'plexus.db-wal 600'])
    await second.sessions.create(aSession())
    expect(await store.journal.append(aStep(1))).toBe(1)
    await second.close()
    await store.close()
  })

  it.each(['', '-wal', '-shm'])(
    'are no links: plexus.db%s is refused and its target untouched',
    async (end) => {
      const target = join(place.folder, 'target')
      await writeFile(target, 'precious')
      await symlink(target, place.path + end)
      const refusal = await refusalOf(openSqliteStore(place.path))
      expect(refusal.code).toBe('forbidden')
      expect(refusal.message).toContain(place.path + end)
      expect(await readFile(target, 'utf8')).toBe('precious')
    },
  )

  it('are no links that lead nowhere', async () => {
    await symlink(join(place.folder, 'target'), place.path)
    expect((await refusalOf(openSqliteStore(place.path))).code).toBe('forbidden')
    expect(await readdir(place.folder)).toEqual(['plexus.db'])
  })

  it('need a folder', async () => {
    const refusal = await refusalOf(openSqliteStore(join(place.folder, 'none', 'plexus.db')))
    expect(refusal.message).toMatch(
      /^[^\n]+ cannot be made or read; check that its folder exists and is yours\.$/,
    )
  })
})
