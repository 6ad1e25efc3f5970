import { expect, test } from 'vitest'
import { workedMs } from '../../../src/sessions/spending/work-time.ts'

const BEGAN = 1_000_000_000
const HOUR = 3_600_000

test('within a process the time at work is what the steady clock says', () => {
  expect(workedMs(BEGAN + 5, BEGAN + 3 * HOUR, BEGAN)).toBe(3 * HOUR - 5)
  expect(workedMs(BEGAN + 50, BEGAN + 20, BEGAN)).toBe(0)
})

test('over a restart no more counts than a child works without a hub, however far the clock of the machine jumped', () => {
  expect(workedMs(BEGAN - 2_000, BEGAN + 500, BEGAN)).toBe(2_500)
  expect(workedMs(BEGAN - 1_000 * HOUR, BEGAN + 500, BEGAN)).toBe(HOUR / 2 + 500)
})
