import { expect, test } from 'vitest'
import { recordItems } from '../../src/audit/record-items.ts'
import { openMemoryStore } from '../../src/store/memory/open.ts'

/** A record of so many rows, with a checkpoint after each of these. */
async function aRecord(rows: number, checkpoints: readonly number[] = []) {
  const { record } = await openMemoryStore()
  await record.append(Array.from({ length: rows }, (_, at) => ({ kind: 'read', at, body: {} }) as const))
  for (const size of checkpoints) await record.addCheckpoint({ size, at: size, note: `note ${size}` })
  /** Its pages: the number of each row, and the note of each checkpoint. */
  const pages = async (range?: { after?: number; until?: number }) => {
    const read = []
    for await (const items of recordItems(record, range))
      read.push(items.map((item) => ('row' in item ? item.row.number : item.checkpoint)))
    return read
  }
  return { record, pages }
}

test('a checkpoint stands right after the row that it ends with', async () => {
  const { pages } = await aRecord(4, [2, 4])
  expect(await pages()).toEqual([[1, 2, 'note 2', 3, 4, 'note 4']])
})

test('a part begins after one row and ends with another, with the checkpoints of these rows', async () => {
  const { pages } = await aRecord(6, [1, 2, 4, 6])
  expect(await pages({ after: 2 })).toEqual([[3, 4, 'note 4', 5, 6, 'note 6']])
  expect(await pages({ until: 4 })).toEqual([[1, 'note 1', 2, 'note 2', 3, 4, 'note 4']])
  expect(await pages({ after: 2, until: 3 })).toEqual([[3]])
})

test('a checkpoint for rows that are gone is there, after the last one', async () => {
  const { pages } = await aRecord(2, [2, 5])
  expect(await pages()).toEqual([[1, 2, 'note 2', 'note 5']])
})

test('of a record that was cut the first thing is the checkpoint that the cut ends with', async () => {
  const { record, pages } = await aRecord(4, [2, 4])
  await record.cut(2)
  expect(await pages()).toEqual([['note 2', 3, 4, 'note 4']])
})

test('an empty record has no page', async () => {
  const { pages } = await aRecord(0)
  expect(await pages()).toEqual([])
})

test('a long record comes in pages of 500 rows, each with all of its checkpoints', async () => {
  const all = Array.from({ length: 1_100 }, (_, index) => index + 1)
  const { pages } = await aRecord(1_100, all)
  const read = await pages()
  expect(read.map((page) => page.length)).toEqual([1_000, 1_000, 200])
  expect(read.flat()).toEqual(all.flatMap((number) => [number, `note ${number}`]))
  const exact = await aRecord(1_000)
  expect((await exact.pages()).map((page) => page.length)).toEqual([500, 500])
})

test('many checkpoints after the last row are all read', async () => {
  const sizes = Array.from({ length: 1_000 }, (_, index) => index + 2)
  const { pages } = await aRecord(1, sizes)
  expect((await pages()).flat()).toHaveLength(1_001)
})
