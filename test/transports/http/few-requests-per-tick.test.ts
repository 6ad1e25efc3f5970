import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { FewPerTick, MAX_PER_TICK } from '../../../src/transports/http/few-requests-per-tick.ts'

test('a few things are begun in each turn of the event loop, in order, and the first of them at once', async () => {
  const turns = new FewPerTick()
  const begun: number[] = []
  const seen: number[] = []
  const all = Array.from({ length: 2 * MAX_PER_TICK + 1 }, (_, at) => at)
  for (const at of all) turns.take(() => void begun.push(at))
  for (let turn = 0; turn < 3; turn++) {
    seen.push(begun.length)
    await nextTurn()
  }
  expect({ begun, seen }).toEqual({ begun: all, seen: [MAX_PER_TICK, 2 * MAX_PER_TICK, all.length] })
  turns.take(() => void begun.push(-1))
  expect(begun.at(-1)).toBe(-1)
})

test('what is taken while others wait comes after them', async () => {
  const turns = new FewPerTick()
  const begun: number[] = []
  for (let at = 0; at <= MAX_PER_TICK; at++) turns.take(() => void begun.push(at))
  turns.take(() => void begun.push(-1))
  await nextTurn()
  expect(begun.slice(-2)).toEqual([MAX_PER_TICK, -1])
})
