import { join } from 'node:path'
import { openSqliteStore } from '../src/store/sqlite/open.ts'
import type { Figure, Samples } from './harness/figure.ts'
import { inFolder } from './harness/filled-store.ts'
import { endedRun, ingest } from './harness/ingest.ts'

const BYTES = 300_000_000
const SAMPLES = 30

export const figure: Figure = {
  id: 'memory-flat',
  title: 'heap after 1,000,000 lines of output (300 MB) of one session, read and stored',
  reference: 'heap after the first 100,000',
  unit: 'MB',
  goal: { max: 1.1 },
  run: () => inFolder(heapOnTheWay),
}

/** Noted after each commit: in the middle of the work, with all that it holds. */
async function heapOnTheWay(folder: string): Promise<Samples> {
  const run = await endedRun(folder, BYTES)
  const store = await openSqliteStore(join(folder, 'plexus.db'))
  const heaps: number[] = []
  await ingest(run, {
    store,
    onMoment: (moment) => void (moment === 'after-commit' && heaps.push(heap())),
  })
  await store.close()
  const tenth = Math.round(heaps.length / 10)
  return { ours: heaps.slice(-SAMPLES), reference: heaps.slice(tenth - SAMPLES / 2, tenth + SAMPLES / 2) }
}

function heap(): number {
  global.gc?.()
  return process.memoryUsage().heapUsed / 1e6
}
