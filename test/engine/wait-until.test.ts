import { expect, test } from 'vitest'
import { waitUntil } from '../../src/engine/wait-until.ts'
import { ANY, Doorbells } from '../../src/sessions/record/session-doorbells.ts'
import type { Session } from '../../src/sessions/record/session.ts'
import { aSession } from '../contracts/rows.ts'

const never = new AbortController().signal

const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length

/** A `find` that returns the given results in turn; `seen.calls` counts its calls. */
function findInTurn(...views: Session[][]) {
  const seen = { calls: 0 }
  return { seen, find: async () => views[Math.min(seen.calls++, views.length - 1)] ?? [] }
}

test('a ring between the check and the wait is not missed', async () => {
  const doorbells = new Doorbells()
  const found = [aSession({ id: 'b' })]
  let calls = 0
  const find = async () => {
    if (++calls > 1) return found
    doorbells.ring('b')
    return []
  }
  expect(await waitUntil(doorbells, { find, sessionIds: ['a', 'b'], ms: 60_000, signal: never })).toBe(found)
  expect(calls).toBe(2)
})

test('a wait for many sessions uses few timers, however often it rings', async () => {
  const doorbells = new Doorbells()
  const { find, seen } = findInTurn([], [], [], [aSession()])
  const sessionIds = Array.from({ length: 500 }, (_, index) => `s${index}`)
  const before = timers()
  const wait = waitUntil(doorbells, { find, sessionIds, ms: 60_000, signal: never })
  for (const index of [1, 2]) {
    await expect.poll(() => seen.calls).toBe(index)
    doorbells.ring(`s${index}`)
  }
  await expect.poll(() => seen.calls).toBe(3)
  expect(timers() - before).toBeLessThan(10)
  doorbells.ring('s3')
  expect(await wait).toHaveLength(1)
})

test('a wait for no session at all ends when time is up', async () => {
  const { find } = findInTurn([])
  expect(await waitUntil(new Doorbells(), { find, sessionIds: [], ms: 5, signal: undefined })).toEqual([])
})

test('an aborted wait checks once and returns', async () => {
  const found = [aSession()]
  const { find } = findInTurn(found)
  const signal = AbortSignal.abort()
  expect(await waitUntil(new Doorbells(), { find, sessionIds: undefined, ms: 60_000, signal })).toBe(found)
})

test('an aborted wait that has found nothing returns nothing', async () => {
  const abort = new AbortController()
  const { find, seen } = findInTurn([])
  const wait = waitUntil(new Doorbells(), { find, sessionIds: ['a'], ms: 60_000, signal: abort.signal })
  await expect.poll(() => seen.calls).toBe(1)
  abort.abort()
  expect(await wait).toEqual([])
  expect(seen.calls).toBe(2)
})

test('a wait for any session is woken by each, and leaves nobody listening', async () => {
  const stopped: string[][] = []
  class Counted extends Doorbells {
    override listen(...ids: string[]) {
      const { doorbell, stop } = super.listen(...ids)
      return { doorbell, stop: () => (stopped.push(ids), stop()) }
    }
  }
  const doorbells = new Counted()
  const { find, seen } = findInTurn([], [aSession()])
  const wait = waitUntil(doorbells, { find, sessionIds: undefined, ms: 60_000, signal: never })
  await expect.poll(() => seen.calls).toBe(1)
  doorbells.ring('whichever')
  expect(await wait).toHaveLength(1)
  expect(stopped).toEqual([[ANY]])
})

test('what was found and is not new is returned only when time is up', async () => {
  const found = [aSession()]
  const { find } = findInTurn(found)
  const options = { find, isNew: async () => false, sessionIds: [], signal: undefined }
  expect(await waitUntil(new Doorbells(), { ...options, ms: 5 })).toBe(found)
})
