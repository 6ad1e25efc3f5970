import { expect, onTestFinished, test, vi } from 'vitest'
import { withTimeout } from '../../src/async/with-timeout.ts'

const NEVER = new Promise<never>(() => {})
const LONG_MS = 1_000_000

test('the value, the error, or what stands for a timeout', async () => {
  expect(await withTimeout(Promise.resolve(1), LONG_MS, 'late')).toBe(1)
  await expect(withTimeout(Promise.reject(new Error('no')), LONG_MS, 'late')).rejects.toThrow('no')
  expect(await withTimeout(NEVER, 1, 'late')).toBe('late')
})

test('a signal ends the wait, before it and during it', async () => {
  expect(await withTimeout(NEVER, LONG_MS, 'late', AbortSignal.abort())).toBe('late')
  const abort = new AbortController()
  const waiting = withTimeout(NEVER, LONG_MS, 'late', abort.signal)
  abort.abort()
  expect(await waiting).toBe('late')
})

test('what has settled counts, also after the signal, and nothing is left of a wait', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  expect(await withTimeout(Promise.resolve(1), LONG_MS, 'late', AbortSignal.abort())).toBe(1)
  const waiting = withTimeout(NEVER, LONG_MS, 'late', AbortSignal.abort())
  expect(vi.getTimerCount()).toBe(1)
  await waiting
  await withTimeout(Promise.resolve(1), LONG_MS, 'late')
  expect(vi.getTimerCount()).toBe(0)
})
