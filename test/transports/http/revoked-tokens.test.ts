import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { RevokedTokens } from '../../../src/transports/http/revoked-tokens.ts'
import { SlowResponse } from '../../rig/tools/slow-response.ts'

beforeEach(() => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
})

test('a request whose token is revoked is closed within a second, and the others stay open', async () => {
  const tokens = new RevokedTokens()
  const [valid, revoked] = [new SlowResponse(), new SlowResponse()]
  let isValid = true
  tokens.watch(valid.asResponse, async () => true)
  tokens.watch(revoked.asResponse, async () => isValid)
  await vi.advanceTimersByTimeAsync(5_000)
  expect(revoked.destroyed).toBe(false)
  isValid = false
  await vi.advanceTimersByTimeAsync(1_000)
  expect([valid.destroyed, revoked.destroyed]).toEqual([false, true])
})

test('a token that cannot be checked now counts as valid, and is checked again', async () => {
  const tokens = new RevokedTokens()
  const response = new SlowResponse()
  const checks = [() => Promise.reject(new Error('The store is busy.')), async () => false]
  tokens.watch(response.asResponse, () => checks.shift()?.() ?? Promise.resolve(true))
  await vi.advanceTimersByTimeAsync(1_000)
  expect(response.destroyed).toBe(false)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(response.destroyed).toBe(true)
})

test('a request that is over is no longer checked, and without open requests no timer runs', async () => {
  const tokens = new RevokedTokens()
  const [first, second] = [new SlowResponse(), new SlowResponse()]
  let checks = 0
  const check = async () => ++checks > 0
  tokens.watch(first.asResponse, check)
  tokens.watch(second.asResponse, check)
  expect(vi.getTimerCount()).toBe(1)
  first.emit('close')
  await vi.advanceTimersByTimeAsync(1_000)
  expect(checks).toBe(1)
  second.emit('close')
  expect(vi.getTimerCount()).toBe(0)
  tokens.watch(first.asResponse, check)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(checks).toBe(2)
})
