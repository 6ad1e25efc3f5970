import * as fc from 'fast-check'
import { afterEach, expect, test, vi } from 'vitest'
import type { SessionEvent } from '../../../src/events/session-event.ts'
import { coalesced } from '../../../src/sessions/writing/coalesce-text.ts'
import { EventBuffer } from '../../../src/sessions/writing/event-buffer.ts'

afterEach(() => void vi.useRealTimers())

/** A line of the child: how long it is, and what it says. */
interface Line {
  readonly bytes: number
  readonly events: SessionEvent[]
}

const streamed = (text: string): SessionEvent => ({ type: 'text.streamed', text })
const echoed: SessionEvent = { type: 'prompt.echoed', promptId: 'p' }
const other: SessionEvent = { type: 'mode.changed', mode: 'plan' }
const line = fc.record({
  bytes: fc.integer({ min: 1, max: 400 }),
  events: fc.oneof(
    fc.string({ minLength: 1, maxLength: 40 }).map((text) => [streamed(text)]),
    fc.constant([streamed('x'.repeat(1_500))]),
    fc.constant([other]),
    fc.constant([other, other]),
    fc.constant([echoed]),
    fc.constant<SessionEvent[]>([]),
  ),
})
/** What comes next: some lines in one read, with so many blank bytes behind them; or time passes. */
const move = fc.oneof(
  fc.record({ lines: fc.array(line, { maxLength: 4 }), blank: fc.nat(3) }),
  fc.record({ passes: fc.constantFrom(1, 60, 150) }),
)

test('R3: any lines in any reads at any time are stored as the same text, and no offset lies after what is not stored', () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  fc.assert(
    fc.property(fc.array(move), fc.nat(1_000), (moves, start) => {
      const buffer = new EventBuffer(start)
      const added: { event: SessionEvent; end: number }[] = []
      const stored: SessionEvent[] = []
      let read = start
      let offset = start
      const store = (taken: ReturnType<EventBuffer['take']>) => {
        if (!taken) return
        expect(taken.offset).toBeGreaterThan(offset)
        offset = taken.offset
        stored.push(...taken.events)
        // A crash now would read again exactly what is not stored.
        expect(stored).toEqual(added.filter(({ end }) => end <= offset).map(({ event }) => event))
        expect(offset).toBeLessThanOrEqual(read)
      }
      for (const one of moves) {
        if ('passes' in one) {
          vi.advanceTimersByTime(one.passes)
          continue
        }
        for (const { bytes, events } of one.lines as Line[]) {
          read += bytes
          buffer.add(events, read)
          added.push(...events.map((event) => ({ event, end: read })))
        }
        read += one.blank
        buffer.reach(read)
        store(buffer.takeFlushable())
        const waiting = added.slice(stored.length).map(({ event }) => event)
        expect(waiting.every(({ type }) => type === 'text.streamed' || type === 'prompt.echoed')).toBe(true)
        expect(waiting.map((event) => ('text' in event ? event.text : '')).join('').length).toBeLessThan(
          2_048,
        )
      }
      store(buffer.take())
      expect(offset).toBe(read)
      expect(coalesced(stored, Infinity)).toEqual(
        coalesced(
          added.map(({ event }) => event),
          Infinity,
        ),
      )
    }),
  )
})

test('text that waits is late after 100 ms, and what is read first wins', async () => {
  vi.useFakeTimers()
  const buffer = new EventBuffer(0)
  buffer.add([other], 10)
  expect(buffer.takeFlushable()).toEqual({ events: [other], offset: 10 })
  buffer.add([streamed('a')], 20)
  expect(buffer.takeFlushable()).toBeUndefined()
  const late = buffer.orLate(new Promise<string>(() => {}))
  await vi.advanceTimersByTimeAsync(99)
  expect(await Promise.race([late, Promise.resolve('waits')])).toBe('waits')
  await vi.advanceTimersByTimeAsync(1)
  expect(await late).toBe('late')
  expect(await buffer.orLate(Promise.resolve('read'))).toBe('read')
  expect(buffer.take()).toEqual({ events: [streamed('a')], offset: 20 })
  expect(vi.getTimerCount()).toBe(0)
})

test('the first text after a silence is stored at once', () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  vi.advanceTimersByTime(1_000)
  const buffer = new EventBuffer(0)
  buffer.add([streamed('a')], 5)
  expect(buffer.takeFlushable()).toEqual({ events: [streamed('a')], offset: 5 })
  buffer.add([streamed('b')], 9)
  expect(buffer.takeFlushable()).toBeUndefined()
})

test.each(['turn.started', 'prompt.echoed', 'tool.used'] as const)(
  '%s waits for what follows it, also after a silence, and not for ever',
  async (type) => {
    vi.useFakeTimers()
    vi.advanceTimersByTime(1_000)
    const patient = { type } as SessionEvent
    const buffer = new EventBuffer(0)
    buffer.add([patient], 5)
    expect(buffer.takeFlushable()).toBeUndefined()
    const late = buffer.orLate(new Promise<string>(() => {}))
    await vi.advanceTimersByTimeAsync(99)
    expect(await Promise.race([late, Promise.resolve('waits')])).toBe('waits')
    buffer.add([other], 9)
    expect(buffer.takeFlushable()).toEqual({ events: [patient, other], offset: 9 })
    buffer.add([patient], 12)
    await vi.advanceTimersByTimeAsync(1)
    expect(await late).toBe('late')
    // The first text after a silence takes it along.
    await vi.advanceTimersByTimeAsync(100)
    buffer.add([streamed('a')], 15)
    expect(buffer.takeFlushable()).toEqual({ events: [patient, streamed('a')], offset: 15 })
  },
)

test('lines that say nothing cost no step until there are many of them', () => {
  const buffer = new EventBuffer(0)
  buffer.add([], 1_000)
  expect(buffer.takeFlushable()).toBeUndefined()
  buffer.add([other], 1_100)
  expect(buffer.takeFlushable()).toEqual({ events: [other], offset: 1_100 })
  buffer.add([], 1_100 + (1 << 16))
  expect(buffer.takeFlushable()).toEqual({ events: [], offset: 1_100 + (1 << 16) })
})

test('the offset at which a process was adopted does not count as read', () => {
  const buffer = new EventBuffer(1 << 20)
  buffer.add([], (1 << 20) + 10)
  expect(buffer.reached).toBe((1 << 20) + 10)
  expect(buffer.takeFlushable()).toBeUndefined()
})

test('only the text at the end counts for how long it may be held back', () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  vi.advanceTimersByTime(1_000)
  const buffer = new EventBuffer(0)
  buffer.add([other], 1)
  buffer.takeFlushable()
  buffer.add([streamed('x'.repeat(2_000)), other, streamed('y'.repeat(100))], 5)
  buffer.add([streamed('z')], 9)
  expect(buffer.takeFlushable()?.events.at(-1)).toBe(other)
  vi.advanceTimersByTime(100)
  expect(buffer.takeFlushable()).toMatchObject({ offset: 9 })
})

test('where nothing is held back, a read is waited for', async () => {
  expect(await new EventBuffer(0).orLate(Promise.resolve('read'))).toBe('read')
})

test('what was held back long enough is late at once, whenever the process began', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  vi.advanceTimersByTime(10_000_000)
  const buffer = new EventBuffer(0)
  buffer.add([echoed], 5)
  vi.advanceTimersByTime(100)
  expect(await buffer.orLate(new Promise<string>(() => {}))).toBe('late')
})
