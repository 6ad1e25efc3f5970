import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openSqliteStore } from '../src/store/sqlite/open.ts'
import type { Store } from '../src/sessions/record/store.ts'
import { type Figure, inPairs, speedOf } from './harness/figure.ts'
import { inFolder } from './harness/filled-store.ts'
import { endedRun, ingest } from './harness/ingest.ts'
import { parseWhole } from './line-splitting.ts'
import { rangeOf } from '../test/contracts/rows.ts'

export const figure: Figure = {
  id: 'P6',
  title: '20 MB of output read, split, parsed, told as events and stored',
  reference: 'decode the whole, split, JSON.parse',
  unit: 'MB/s',
  goal: { min: 0.4 },
  run: () =>
    inFolder(async (folder) => {
      const run = await endedRun(folder, 20_000_000)
      const bytes = await readFile(join(run, 'stdout'))
      const store = await openSqliteStore(join(folder, 'plexus.db'))
      const samples = await inPairs(
        60,
        speedOf(bytes.length, () => ingestAll(run, store)),
        speedOf(bytes.length, () => parseWhole(bytes)),
      )
      await store.close()
      return samples
    }),
}

async function ingestAll(run: string, store: Store): Promise<void> {
  const id = await ingest(run, { store })
  const { last } = await rangeOf(store, id)
  if (last < 3_000) throw new Error(`Only ${last} events are visible.`)
}
