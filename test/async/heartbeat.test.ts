import { expect, onTestFinished, test, vi } from 'vitest'
import { startHeartbeat } from '../../src/async/heartbeat.ts'

test('all that is open beats by one timer, and nothing is left when all has ended', () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const [first, second] = [vi.fn<() => void>(), vi.fn<() => void>()]
  const [endFirst, endSecond] = [startHeartbeat(first), startHeartbeat(second)]
  expect(vi.getTimerCount()).toBe(1)
  vi.advanceTimersByTime(15_000)
  endFirst()
  vi.advanceTimersByTime(15_000)
  expect([first.mock.calls.length, second.mock.calls.length]).toEqual([1, 2])
  endSecond()
  expect(vi.getTimerCount()).toBe(0)
})
