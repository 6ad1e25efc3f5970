import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe } from 'vitest'
import { openSqliteStore } from '../../src/store/sqlite/open.ts'
import { storeContract } from '../contracts/store.contract.ts'

describe('the SQLite store', () => {
  let folder = ''
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'plexus-store-'))
  })
  afterEach(() => rm(folder, { recursive: true }))

  storeContract(() => openSqliteStore(join(folder, 'plexus.db')))
})
