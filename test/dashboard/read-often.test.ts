import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { afterQuiet, coalesced } from '../../dashboard/src/hub/read-often.ts'

beforeEach(() => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
})

test('a burst of steps costs one read after it, and a burst without an end one each half second', () => {
  let reads = 0
  const read = afterQuiet(() => reads++)
  for (let left = 5; left > 0; left--) {
    read()
    vi.advanceTimersByTime(20)
  }
  expect(reads).toBe(0)
  vi.advanceTimersByTime(100)
  expect(reads).toBe(1)
  for (let left = 100; left > 0; left--) {
    read()
    vi.advanceTimersByTime(20)
  }
  expect(reads).toBe(5)
})

test('what changes while it is read is read once more', async () => {
  const ends: (() => void)[] = []
  const read = coalesced(() => new Promise<void>((resolve) => ends.push(resolve)))
  const all = [read(), read(), read()]
  expect([ends.length, read.isRunning()]).toEqual([1, true])
  ends[0]?.()
  await all[0]
  await vi.advanceTimersByTimeAsync(0)
  expect(ends.length).toBe(2)
  ends[1]?.()
  await Promise.all(all)
  expect([ends.length, read.isRunning()]).toEqual([2, false])
})
