import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { RevokedTokens } from '../../../src/transports/http/revoked-tokens.ts'
import { SlowResponse } from '../../rig/tools/slow-response.ts'

beforeEach(() => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
})

test('the requests of a token that is revoked are closed within a second, and the others stay open', async () => {
  const valid = new Set(['kept', 'lost'])
  const tokens = new RevokedTokens(async (token) => valid.has(token))
  const [kept, ...lost] = [new SlowResponse(), new SlowResponse(), new SlowResponse()]
  tokens.watch(kept.asResponse, 'kept')
  for (const response of lost) tokens.watch(response.asResponse, 'lost')
  await vi.advanceTimersByTimeAsync(5_000)
  expect(lost.map(({ destroyed }) => destroyed)).toEqual([false, false])
  valid.delete('lost')
  await vi.advanceTimersByTimeAsync(1_000)
  expect([kept, ...lost].map(({ destroyed }) => destroyed)).toEqual([false, true, true])
})

test('the token of a device is checked every minute, and at once when a device was removed', async () => {
  const checked: string[] = []
  const valid = new Set(['phone', 'laptop'])
  const tokens = new RevokedTokens(async (token) => checked.push(token) > 0 && valid.has(token))
  const [phone, laptop] = [new SlowResponse(), new SlowResponse()]
  tokens.watch(phone.asResponse, 'phone', { isOfDevice: true })
  tokens.watch(laptop.asResponse, 'laptop', { isOfDevice: true })
  await vi.advanceTimersByTimeAsync(59_000)
  expect(checked).toEqual([])
  await vi.advanceTimersByTimeAsync(1_000)
  expect(checked).toEqual(['phone', 'laptop'])
  valid.delete('phone')
  await tokens.checkAll()
  expect([phone.destroyed, laptop.destroyed]).toEqual([true, false])
  valid.delete('laptop')
  await vi.advanceTimersByTimeAsync(60_000)
  expect(laptop.destroyed).toBe(true)
})

test('a token that cannot be checked now counts as valid, and is checked again', async () => {
  const checks = [() => Promise.reject(new Error('The store is busy.')), async () => false]
  const tokens = new RevokedTokens(() => checks.shift()?.() ?? Promise.resolve(true))
  const response = new SlowResponse()
  tokens.watch(response.asResponse, 'a')
  await vi.advanceTimersByTimeAsync(1_000)
  expect(response.destroyed).toBe(false)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(response.destroyed).toBe(true)
})

test('a token is checked once for all of its requests', async () => {
  const checked: string[] = []
  const tokens = new RevokedTokens(async (token) => checked.push(token) > 0)
  for (const token of ['a', 'b', 'a', 'a']) tokens.watch(new SlowResponse().asResponse, token)
  await vi.advanceTimersByTimeAsync(2_000)
  expect(checked).toEqual(['a', 'b', 'a', 'b'])
})

test('the token of a request that is over is no longer checked, and without open requests no timer runs', async () => {
  let checks = 0
  const tokens = new RevokedTokens(async () => ++checks > 0)
  const [first, second] = [new SlowResponse(), new SlowResponse()]
  tokens.watch(first.asResponse, 'a')
  tokens.watch(second.asResponse, 'b')
  expect(vi.getTimerCount()).toBe(1)
  first.emit('close')
  await vi.advanceTimersByTimeAsync(1_000)
  expect(checks).toBe(1)
  second.emit('close')
  expect(vi.getTimerCount()).toBe(0)
  tokens.watch(first.asResponse, 'a')
  await vi.advanceTimersByTimeAsync(1_000)
  expect(checks).toBe(2)
})
