import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { HubTime } from '../../../src/sessions/in-advance/hub-time.ts'

const clock = () => {
  const at = { wall: 1_000, steady: 0 }
  const time = new HubTime(
    () => at.wall,
    () => at.steady,
  )
  return { at, time }
}

test('a clock that is set back gives nothing more time, and one that is set forward takes it away (asked for: 14)', () => {
  const { at, time } = clock()
  Object.assign(at, { wall: 1_500, steady: 500 })
  expect(time.now()).toBe(1_500)
  Object.assign(at, { wall: 100, steady: 600 })
  expect(time.now()).toBe(1_600)
  Object.assign(at, { wall: 9_000, steady: 700 })
  expect(time.now()).toBe(9_000)
})

test('a new hub begins no earlier than what the one before has stored', () => {
  const { at, time } = clock()
  time.notBefore(5_000)
  expect(time.now()).toBe(5_000)
  at.steady = 10
  expect(time.now()).toBe(5_010)
  time.notBefore(2_000)
  expect(time.now()).toBe(5_010)
})

test('whatever happens to the clock of the machine, no span is shorter than it was', () => {
  const step = fc.record({ jump: fc.integer({ min: -1e6, max: 1e6 }), passes: fc.nat(1e5) })
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      const { at, time } = clock()
      for (const { jump, passes } of steps) {
        const before = time.now()
        at.wall += jump + passes
        at.steady += passes
        expect(time.now() - before).toBeGreaterThanOrEqual(passes)
      }
    }),
  )
})

test('without other clocks it is the time of the machine', () => {
  const before = Date.now()
  const time = new HubTime().now()
  expect(time).toBeGreaterThanOrEqual(before)
  expect(time).toBeLessThanOrEqual(Date.now() + 1)
})
