import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { keepAlive, progressOf } from '../../../src/transports/mcp/progress.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
})

const notify = () => Promise.reject(new Error('It did not ask.'))

test('a caller that gave no token gets no progress', () => {
  expect(progressOf({ notify })).toBeUndefined()
  expect(progressOf({ _meta: {}, notify })).toBeUndefined()
})

test.each(['token', 0])('progress for the token %j grows with each message', async (progressToken) => {
  const sent: unknown[] = []
  const say = progressOf({ _meta: { progressToken }, notify: async (message) => void sent.push(message) })
  await say?.('one')
  await say?.('two')
  const method = 'notifications/progress'
  expect(sent).toEqual([
    { method, params: { progressToken, progress: 0, message: 'one' } },
    { method, params: { progressToken, progress: 1, message: 'two' } },
  ])
})

test('a caller that has disconnected does not disturb the call', async () => {
  const say = progressOf({ _meta: { progressToken: 1 }, notify: () => Promise.reject(new Error('gone')) })
  await expect(say?.('one')).resolves.toBeUndefined()
})

test('progress is sent at once, and then from time to time until the timer is cleared', async () => {
  let said = 0
  const alive = await keepAlive(async () => void said++, 1_000)
  expect(said).toBe(1)
  vi.advanceTimersByTime(2_000)
  expect(said).toBe(3)
  clearInterval(alive)
  vi.advanceTimersByTime(2_000)
  expect(said).toBe(3)
})
