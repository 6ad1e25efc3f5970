import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { SessionEvent } from '../../../src/events/session-event.ts'
import { coalesced, MAX_LENGTH } from '../../../src/sessions/writing/coalesce-text.ts'

const streamed = (text: string): SessionEvent => ({ type: 'text.streamed', text })
const other: SessionEvent = { type: 'mode.changed', mode: 'plan' }
const events = fc.array(fc.oneof(fc.string({ minLength: 1 }).map(streamed), fc.constant(other)))

test('neighbouring text becomes one, and nothing else changes its place', () => {
  expect(coalesced([streamed('a'), streamed('b'), other, streamed('c'), other])).toEqual([
    streamed('ab'),
    other,
    streamed('c'),
    other,
  ])
})

test('any events have the same text in the same places', () => {
  fc.assert(
    fc.property(events, fc.integer({ min: 1, max: 50 }), (given, max) => {
      const result = coalesced(given, max)
      expect(coalesced(result, Infinity)).toEqual(coalesced(given, Infinity))
      // No piece grows once it is long enough.
      const long = given.map((event) => (event.type === 'text.streamed' ? event.text.length : 0))
      for (const event of result)
        expect('text' in event ? event.text.length : 0).toBeLessThan(max + Math.max(...long))
    }),
  )
})

test('a long stream is cut into pieces of 2 KiB', () => {
  const pieces = coalesced(Array.from({ length: 10_000 }, () => streamed('x')))
  expect(pieces).toHaveLength(Math.ceil(10_000 / MAX_LENGTH))
})
