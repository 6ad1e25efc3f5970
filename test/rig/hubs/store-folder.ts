import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach } from 'vitest'

/** A folder for a database, new for each test of the suite that asks for it. */
export function storeFolder(): { readonly folder: string; readonly path: string } {
  const place = { folder: '', path: '' }
  beforeEach(async () => {
    place.folder = await mkdtemp(join(tmpdir(), 'plexus-store-'))
    place.path = join(place.folder, 'plexus.db')
  })
  afterEach(() => rm(place.folder, { recursive: true }))
  return place
}
