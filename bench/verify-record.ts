import { recordItems } from '../src/audit/record-items.ts'
import { hashOfRow, type RecordRow } from '../src/audit/record-row.ts'
import { RecordCheck } from '../src/audit/verify-record.ts'
import { readRecordFile } from '../src/store/sqlite/read-record.ts'
import { type Figure, inPairs } from './harness/figure.ts'
import { inFolder } from './harness/filled-store.ts'
import { writtenRecord } from './harness/written-record.ts'

const ROWS = 100_000

/** The promise is 50,000 rows a second; the ratio says how much of the time is more than hashing. */
export const figure: Figure = {
  id: 'verify-record',
  title: 'rows of a record of 100,000, read from its database and checked, without signatures',
  reference: 'SHA-256 of the same bytes, from memory',
  unit: '/s',
  goal: { min: 0.2 },
  run: () =>
    inFolder(async (folder) => {
      const path = await writtenRecord(folder, ROWS)
      const rows: RecordRow[] = []
      const read = (take: (row: RecordRow) => void) =>
        readRecordFile(path, async (record) => {
          for await (const items of recordItems(record))
            for (const item of items) if ('row' in item) take(item.row)
        })
      await read((row) => rows.push(row))
      return inPairs(
        8,
        async () => {
          const start = performance.now()
          const check = new RecordCheck()
          await read((row) => check.add({ row }))
          if (check.report().broken || check.report().rows !== ROWS) throw new Error('It is not sound.')
          return (ROWS / (performance.now() - start)) * 1_000
        },
        () => {
          const start = performance.now()
          for (const row of rows) hashOfRow(row)
          return (ROWS / (performance.now() - start)) * 1_000
        },
      )
    }),
}
