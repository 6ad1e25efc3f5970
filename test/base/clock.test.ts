import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { systemClock } from '../../src/base/clock.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

test('a timer goes off once at its time, and not at all when it was cancelled', async () => {
  const told: string[] = []
  systemClock.setTimer(1_000, () => told.push('kept'))
  systemClock.setTimer(1_000, () => told.push('taken back'))()
  await vi.advanceTimersByTimeAsync(999)
  expect(told).toEqual([])
  await vi.advanceTimersByTimeAsync(86_400_000)
  expect(told).toEqual(['kept'])
})

test('R9: a timer does not go off before its time, however long that is', async () => {
  const told: string[] = []
  const cancel = systemClock.setTimer(2 ** 40, () => told.push('early'))
  await vi.advanceTimersByTimeAsync(86_400_000)
  expect(told).toEqual([])
  cancel()
})
