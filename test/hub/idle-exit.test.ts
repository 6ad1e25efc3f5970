import { expect, test } from 'vitest'
import { whenIdle } from '../../src/hub/idle-exit.ts'

/** Busy for this many looks, then no longer. */
function busyFor(looks: number) {
  let left = looks
  return { count: async () => Math.max(0, left--), over: () => left < 0 }
}
const none = async () => 0

test('a hub is not idle while a session is busy, though nobody is connected', async () => {
  const { count, over } = busyFor(30)
  await whenIdle(0.01, { sessions: count, connections: none })
  expect(over()).toBe(true)
})

test('a hub is not idle while a client is connected, though no session is busy', async () => {
  const { count, over } = busyFor(30)
  await whenIdle(0.01, { sessions: none, connections: count })
  expect(over()).toBe(true)
})
