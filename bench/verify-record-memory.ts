import { recordItems } from '../src/audit/record-items.ts'
import { RecordCheck } from '../src/audit/verify-record.ts'
import { readRecordFile } from '../src/store/sqlite/read-record.ts'
import type { Figure } from './harness/figure.ts'
import { inFolder } from './harness/filled-store.ts'
import { writtenRecord } from './harness/written-record.ts'

const ROWS = 300_000
const EVERY = 2_000

export const figure: Figure = {
  id: 'verify-record-memory',
  title: 'heap while the last tenth of a record of 300,000 rows is checked',
  reference: 'heap while its second tenth is',
  unit: 'MB',
  goal: { max: 1.1 },
  run: () =>
    inFolder(async (folder) => {
      const heaps: number[] = []
      const check = new RecordCheck()
      await readRecordFile(await writtenRecord(folder, ROWS), async (record) => {
        let rows = 0
        for await (const items of recordItems(record))
          for (const item of items) {
            check.add(item)
            if (++rows % EVERY === 0) heaps.push(heap())
          }
      })
      const tenth = ROWS / EVERY / 10
      return { ours: heaps.slice(-tenth), reference: heaps.slice(tenth, 2 * tenth) }
    }),
}

function heap(): number {
  global.gc?.()
  return process.memoryUsage().heapUsed / 1e6
}
