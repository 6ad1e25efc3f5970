import { getEventListeners } from 'node:events'
import { expect, test } from 'vitest'
import { Doorbell } from '../../src/base/doorbell.ts'

const LONG = 600_000

test('a ring before the wait is kept, and counts once', async () => {
  const doorbell = new Doorbell()
  doorbell.ring()
  doorbell.ring()
  expect(await doorbell.next(LONG)).toBe(true)
  expect(await doorbell.next(1)).toBe(false)
})

test('a ring during the wait ends it', async () => {
  const doorbell = new Doorbell()
  const rung = doorbell.next(LONG)
  doorbell.ring()
  expect(await rung).toBe(true)
  expect(await doorbell.next(1)).toBe(false)
})

test('a wait without a ring ends by itself', async () => {
  expect(await new Doorbell().next(1)).toBe(false)
})

test('an abort ends the wait with its reason, before it and during it', async () => {
  const doorbell = new Doorbell()
  const stop = new AbortController()
  const rung = doorbell.next(LONG, stop.signal)
  stop.abort(new Error('closed'))
  await expect(rung).rejects.toThrow('closed')
  await expect(doorbell.next(LONG, stop.signal)).rejects.toThrow('closed')
})

test('a ring during an aborted wait is kept for the next wait', async () => {
  const doorbell = new Doorbell()
  doorbell.ring()
  await expect(doorbell.next(LONG, AbortSignal.abort())).rejects.toThrow('aborted')
  expect(await doorbell.next(1)).toBe(true)
})

test('no listener is left, however a wait ends', async () => {
  const doorbell = new Doorbell()
  const { signal } = new AbortController()
  await doorbell.next(1, signal)
  const rung = doorbell.next(LONG, signal)
  expect(getEventListeners(signal, 'abort')).toHaveLength(1)
  doorbell.ring()
  await rung
  doorbell.ring()
  await doorbell.next(LONG, signal)
  expect(getEventListeners(signal, 'abort')).toHaveLength(0)
  doorbell.ring() // nobody waits: harmless
})
