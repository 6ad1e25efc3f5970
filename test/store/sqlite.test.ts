import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openDatabase } from '../../src/store/sqlite/connection/database.ts'
import { openSqliteStore } from '../../src/store/sqlite/open.ts'
import type { Store } from '../../src/sessions/record/store.ts'
import { refusalOf } from '../contracts/refusal.ts'
import { aSession, aStep } from '../contracts/rows.ts'
import { storeContract } from '../contracts/store.contract.ts'

describe('the SQLite store', () => {
  let folder = ''
  const paths = new Map<Store, string>()
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'plexus-store-'))
  })
  afterEach(() => rm(folder, { recursive: true }))

  async function openAt(path: string): Promise<Store> {
    const store = await openSqliteStore(path)
    paths.set(store, path)
    return store
  }

  storeContract(
    () => openAt(join(folder, `${paths.size}.db`)),
    async (store) => {
      await store.close()
      return openAt(paths.get(store) ?? '')
    },
  )

  it('is closed once, and then says so', async () => {
    const store = await openSqliteStore(join(folder, 'plexus.db'))
    await store.sessions.create(aSession())
    await store.close()
    await store.close()
    expect((await refusalOf(store.sessions.get('s1'))).message).toContain('closed')
    expect((await refusalOf(store.journal.append(aStep(1), { durable: true }))).message).toContain('closed')
  })

  it('says that it is busy when another process holds the database', async () => {
    const path = join(folder, 'plexus.db')
    const first = await openSqliteStore(path)
    await first.sessions.create(aSession())
    const other = openDatabase(path)
    const second = await openSqliteStore(path, { busyTimeoutMs: 1 })
    other.exec('BEGIN IMMEDIATE')
    expect((await refusalOf(second.journal.append(aStep(1)))).code).toBe('busy')
    other.exec('COMMIT')
    other.close()
    expect(await second.journal.append(aStep(1))).toBe(1)
    await first.close()
    await second.close()
  })
})
