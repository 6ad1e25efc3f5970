import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { OnePerTick } from '../../../src/transports/http/one-request-per-tick.ts'

test('one thing is begun in each turn of the event loop, in order, and the first at once', async () => {
  const turns = new OnePerTick()
  const begun: number[] = []
  const seen: number[] = []
  for (const at of [1, 2, 3]) turns.take(() => void begun.push(at))
  for (let turn = 0; turn < 3; turn++) {
    seen.push(begun.length)
    await nextTurn()
  }
  expect({ begun, seen }).toEqual({ begun: [1, 2, 3], seen: [1, 2, 3] })
  turns.take(() => void begun.push(4))
  expect(begun).toHaveLength(4)
})
