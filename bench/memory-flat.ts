import { join } from 'node:path'
import { openSqliteStore } from '../src/store/sqlite/open.ts'
import type { Figure, Samples } from './harness/figure.ts'
import { inFolder } from './harness/filled-store.ts'
import { endedRun, ingest } from './harness/ingest.ts'

const BYTES = 400_000_000

export const figure: Figure = {
  id: 'memory-flat',
  title: 'heap after 1,000,000 lines of output of one session, read and stored',
  reference: 'heap after the first 100,000',
  unit: 'MB',
  goal: { max: 1.1 },
  run: () => inFolder(heapOnTheWay),
}

async function heapOnTheWay(folder: string): Promise<Samples> {
  const store = await openSqliteStore(join(folder, 'plexus.db'))
  const run = await endedRun(folder, BYTES)
  const heaps: number[] = []
  await ingest(run, {
    store,
    onMoment: (moment) => {
      if (moment === 'after-commit') heaps.push(process.memoryUsage().heapUsed)
    },
  })
  await store.close()
  return { ours: [heaps.at(-1) ?? 0], reference: [heaps[Math.round(heaps.length / 10)] ?? 0] }
}
