import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import type { Engine } from '../../../src/engine/engine.ts'
import type { Session } from '../../../src/sessions/record/session.ts'
import {
  currentSeqs,
  sessionChanges,
  type SessionChanges,
} from '../../../src/transports/resources/session-changes.ts'
import { aSession } from '../../contracts/rows.ts'
import { CALLERS } from '../../rig/clients/family.ts'

const at = (id: string, lastSeq: number) => aSession({ id, lastSeq })

/** Watches a hub whose waits end with these sessions one after the other, and then never; undefined is an error. */
function watch(results: (Session[] | undefined)[], first: Record<string, number> = {}) {
  const over = new AbortController()
  const asked: object[] = []
  const pauses: number[] = []
  const changes: SessionChanges[] = []
  const waitFor = (_: unknown, input: { seen: object; seconds: number }) => {
    asked.push({ ...input, seen: { ...input.seen } })
    if (results.length === 0) return new Promise(() => {})
    const result = results.shift()
    return result ? Promise.resolve(result) : Promise.reject(new Error('The hub is gone.'))
  }
  const who = { caller: CALLERS.operator, signal: over.signal }
  const pause = async (ms: number) => void pauses.push(ms)
  const watching = async () => {
    for await (const change of sessionChanges({ waitFor } as unknown as Engine, who, first, pause))
      changes.push(change)
  }
  void watching()
  onTestFinished(() => over.abort())
  return { asked, pauses, changes }
}

test('the base for changes is the last seq of each session, of at most 100', async () => {
  const asked: object[] = []
  const listSessions = async (_: unknown, input: object) => {
    asked.push(input)
    return [at('a', 1), at('b', 7)]
  }
  const who = { caller: CALLERS.operator }
  expect(await currentSeqs({ listSessions } as unknown as Engine, who)).toEqual({ a: 1, b: 7 })
  expect(asked).toEqual([{ limit: 100 }])
})

test('each change is returned once, and only a session that is new changes the list', async () => {
  const { asked, changes } = watch([[at('a', 2)], [at('a', 3), at('b', 1)], [at('b', 2)]], { a: 1 })
  await nextTurn()
  expect(changes.map(({ sessions }) => sessions.map(({ id }) => id))).toEqual([['a'], ['a', 'b'], ['b']])
  expect(changes.map(({ isListChanged }) => isListChanged)).toEqual([false, true, false])
  expect(asked).toEqual([
    { seen: { a: 1 }, seconds: 50 },
    { seen: { a: 2 }, seconds: 50 },
    { seen: { a: 3, b: 1 }, seconds: 50 },
    { seen: { a: 3, b: 2 }, seconds: 50 },
  ])
})

test('a session that is busy is looked at five times a second at most', async () => {
  const { pauses } = watch([[at('a', 1)], [at('a', 2)]])
  await nextTurn()
  expect(pauses).toEqual([200, 200])
})

test('a wait in which nothing has changed is no change, and the next wait follows', async () => {
  const { asked, changes } = watch([[]])
  await nextTurn()
  expect([changes, asked.length]).toEqual([[], 2])
})

test('when the hub has ended, the next hub is asked two seconds later, with what was seen', async () => {
  const { asked, pauses, changes } = watch([undefined, [at('a', 2)]], { a: 1 })
  await nextTurn()
  expect(pauses).toEqual([2_000, 200])
  expect(changes).toHaveLength(1)
  expect(asked[1]).toEqual({ seen: { a: 1 }, seconds: 50 })
})

test('a watch that ends in a pause asks no more, and is over at once', async () => {
  const over = new AbortController()
  let asked = 0
  const waitFor = () => {
    asked++
    setImmediate(() => over.abort())
    return Promise.reject(new Error('The hub is gone.'))
  }
  const who = { caller: CALLERS.operator, signal: over.signal }
  let isOver = false
  void sessionChanges({ waitFor } as unknown as Engine, who, {})
    .next()
    .then(({ done }) => (isOver = done === true))
  await nextTurn()
  await nextTurn()
  expect([asked, isOver]).toEqual([1, true])
})

test('what comes after the end of a watch is not returned', async () => {
  const over = new AbortController()
  const waitFor = async () => {
    over.abort()
    return [at('a', 1)]
  }
  const who = { caller: CALLERS.operator, signal: over.signal }
  const changes = sessionChanges({ waitFor } as unknown as Engine, who, {})
  expect(await changes.next()).toEqual({ done: true, value: undefined })
})
