import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { recordItems } from '../../../src/audit/record-items.ts'
import type { RecordStore } from '../../../src/audit/record-store.ts'
import { RecordCheck } from '../../../src/audit/verify-record.ts'
import { CheckpointWriter } from '../../../src/hub/record/checkpoint-writer.ts'
import { cutRecord } from '../../../src/hub/record/cut-record.ts'
import { openMemoryStore } from '../../../src/store/memory/open.ts'
import { FakeClock } from '../../rig/tools/fake-clock.ts'
import { aSigner } from '../../rig/tools/written-record.ts'

const signer = aSigner()

async function aRecord() {
  const { record } = await openMemoryStore()
  const clock = new FakeClock()
  const notes: string[] = []
  const errors: unknown[] = []
  const begin = (store: RecordStore = record) =>
    new CheckpointWriter({
      record: store,
      signer,
      clock,
      onNote: (note) => notes.push(note),
      onError: (error) => errors.push(error),
    })
  const add = (count = 1) =>
    record.append(Array.from({ length: count }, () => ({ kind: 'read', at: clock.now(), body: {} }) as const))
  /** Time passes, and what it sets off has ended. */
  const pass = async (ms: number) => {
    clock.advance(ms)
    await setImmediate()
  }
  const sizes = async () =>
    (await record.checkpoints({ after: 0, until: 1_000, limit: 100 })).map(({ size }) => size)
  const check = async () => {
    const one = new RecordCheck({ verifier: signer.verifier, anchors: notes })
    for await (const items of recordItems(record)) for (const item of items) one.add(item)
    return one.report()
  }
  return { record, clock, notes, errors, begin, add, pass, sizes, check }
}

test('rows are signed a second after the first of them, once for all that came meanwhile', async () => {
  const { begin, add, pass, sizes, notes, check } = await aRecord()
  begin()
  await add()
  await pass(900)
  await add(4)
  expect(await sizes()).toEqual([])
  await pass(100)
  expect(await sizes()).toEqual([5])
  await pass(60_000)
  expect(await sizes(), 'without rows there is nothing to sign').toEqual([5])
  for (let n = 0; n < 30; n++) {
    await add()
    await pass(100)
  }
  expect(await sizes()).toEqual([5, 15, 25, 35])
  expect(notes).toHaveLength(4)
  expect(await check()).toMatchObject({ anchored: 35, signed: 35, last: 35 })
  expect((await check()).broken).toBeUndefined()
})

test('what an earlier hub left unsigned is signed by the next, and a stop signs at once', async () => {
  const { begin, add, pass, sizes, check } = await aRecord()
  await add(2)
  const writer = begin()
  await pass(1_000)
  expect(await sizes()).toEqual([2])
  await add()
  await writer.close()
  expect(await sizes()).toEqual([2, 3])
  await add()
  await pass(60_000)
  expect(await sizes(), 'it has stopped').toEqual([2, 3])
  expect((await check()).broken).toBeUndefined()
})

test('a checkpoint that cannot be stored is tried again within a minute, and reaches no anchor before', async () => {
  const { record, begin, add, pass, sizes, notes, errors } = await aRecord()
  let isFull = true
  begin({
    ...record,
    addCheckpoint: async (one) => (isFull ? Promise.reject(new Error('full')) : record.addCheckpoint(one)),
  })
  await add()
  await pass(1_000)
  expect(errors).toHaveLength(1)
  expect(notes).toEqual([])
  isFull = false
  await pass(20_000)
  expect(await sizes()).toEqual([1])
  expect(notes).toHaveLength(1)
})

test('a clock that is set back breaks nothing: timers do not follow it, and the record still verifies', async () => {
  const { clock, begin, add, pass, sizes, check } = await aRecord()
  begin()
  await add()
  await pass(1_000)
  clock.jump(-86_400_000)
  await add()
  await pass(1_000)
  expect(await sizes()).toEqual([1, 2])
  expect(await check()).toMatchObject({ signed: 2, clockSetBack: 2 })
  expect((await check()).broken).toBeUndefined()
})

const DAY = 86_400_000

async function anOldRecord() {
  const rig = await aRecord()
  const writer = rig.begin()
  await rig.add(3)
  await rig.pass(1_000)
  await rig.add(2)
  await rig.pass(1_000)
  await rig.pass(10 * DAY)
  await rig.add(4)
  await rig.pass(1_000)
  const cut = (days: number, record = rig.record) =>
    cutRecord({ record, sign: () => writer.sign() }, days * DAY, rig.clock.now())
  return { ...rig, cut }
}

test('R41: retention cuts whole checkpoints and leaves a signed row that says so, and the rest verifies', async () => {
  const { record, cut, check, sizes, add, pass } = await anOldRecord()
  await cut(30)
  expect((await record.read({ limit: 99 })).length, 'nothing is that old').toBe(9)
  await cut(5)
  expect((await record.read({ limit: 99 })).map(({ number }) => number)).toEqual([6, 7, 8, 9, 10])
  expect(await sizes()).toEqual([5, 9, 10])
  expect(await check()).toMatchObject({ first: 6, cut: 5, signed: 10, anchored: 10 })
  expect((await check()).broken).toBeUndefined()
  await cut(5)
  expect((await record.head()).number, 'a cut is announced once').toBe(10)
  await pass(10 * DAY)
  await add()
  await pass(1_000)
  await cut(5)
  expect(await check()).toMatchObject({ first: 11, cut: 10 })
  expect((await check()).broken).toBeUndefined()
})

test('R41: killed after the row and before the rows went, the next hub cuts the same, and nothing is cut unsigned', async () => {
  const { record, cut, check } = await anOldRecord()
  const dead = { ...record, cut: () => Promise.reject(new Error('killed')) }
  await expect(cut(5, dead)).rejects.toThrow('killed')
  expect(await check()).toMatchObject({ first: 1, last: 10 })
  expect((await check()).broken).toBeUndefined()
  await cut(5)
  expect(await check()).toMatchObject({ first: 6, cut: 5, last: 10 })
  expect((await check()).broken).toBeUndefined()
  // And if the row could not be signed, nothing goes.
  const other = await anOldRecord()
  const unsigned = cutRecord(
    { record: other.record, sign: () => Promise.reject(new Error('full')) },
    5 * DAY,
    other.clock.now(),
  )
  await expect(unsigned).rejects.toThrow('full')
  expect((await other.record.read({ limit: 99 })).length).toBe(10)
})
