import { expect, test } from 'vitest'
import { waitForSessions } from '../../src/engine/wait-until.ts'
import { Doorbells } from '../../src/sessions/record/session-doorbells.ts'
import type { Session } from '../../src/sessions/record/session.ts'
import { aSession } from '../contracts/rows.ts'

const never = new AbortController().signal

const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length

/** Looks at what is given one after the other; `looked` tells how often. */
function looking(...views: Session[][]) {
  const seen = { looked: 0 }
  return { seen, look: async () => views[Math.min(seen.looked++, views.length - 1)] ?? [] }
}

test('a ring between the look and the wait is heard', async () => {
  const doorbells = new Doorbells()
  const found = [aSession({ id: 'b' })]
  let looks = 0
  const look = async () => {
    if (++looks > 1) return found
    doorbells.ring('b')
    return []
  }
  expect(await waitForSessions(doorbells, { look, sessionIds: ['a', 'b'], ms: 60_000, signal: never })).toBe(
    found,
  )
  expect(looks).toBe(2)
})

test('a wait for many is one bell, however often it rings', async () => {
  const doorbells = new Doorbells()
  const { look, seen } = looking([], [], [], [aSession()])
  const sessionIds = Array.from({ length: 500 }, (_, at) => `s${at}`)
  const before = timers()
  const wait = waitForSessions(doorbells, { look, sessionIds, ms: 60_000, signal: never })
  for (const at of [1, 2]) {
    await expect.poll(() => seen.looked).toBe(at)
    doorbells.ring(`s${at}`)
  }
  await expect.poll(() => seen.looked).toBe(3)
  expect(timers() - before).toBeLessThan(10)
  doorbells.ring('s3')
  expect(await wait).toHaveLength(1)
})

test('a wait for no session at all ends when time is up', async () => {
  const { look } = looking([])
  expect(await waitForSessions(new Doorbells(), { look, sessionIds: [], ms: 5, signal: undefined })).toEqual(
    [],
  )
})

test('a wait that is ended before it begins looks once', async () => {
  const found = [aSession()]
  const { look } = looking(found)
  const signal = AbortSignal.abort()
  expect(await waitForSessions(new Doorbells(), { look, sessionIds: undefined, ms: 60_000, signal })).toBe(
    found,
  )
})
