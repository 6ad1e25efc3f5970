import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { pagesOf } from '../../src/hub-client/event-pages.ts'
import { type SseFrame, SseFrames } from '../../src/text/sse-frames.ts'

const stored = (seq: number) => ({ seq, turn: 1, at: 1, event: { type: 'text', text: `\u2028 ${seq} \r` } })
const eventText = (seq: number) => `id: ${seq}\ndata: ${JSON.stringify(stored(seq))}\n\n`
const gapText = (from: number, to: number) => `event: gap\ndata: ${JSON.stringify({ from, to })}\n\n`
const framesOf = (text: string): SseFrame[] => new SseFrames().take(text)

test('frames are the same, however the stream is cut', () => {
  const whole = `: hello\n\n${eventText(1)}: still here\n\n${gapText(2, 4)}${eventText(5)}`
  const expected = framesOf(whole)
  expect(expected).toHaveLength(3)
  fc.assert(
    fc.property(fc.array(fc.nat(whole.length)), (cuts) => {
      const frames = new SseFrames()
      const places = [0, ...cuts.toSorted((a, b) => a - b), whole.length]
      const seen = places.flatMap((from, at) =>
        frames.take(whole.slice(from, places[at + 1] ?? whole.length)),
      )
      expect(seen).toEqual(expected)
    }),
  )
})

describe('pages', () => {
  test('report gaps where they are', () => {
    expect(pagesOf(framesOf(eventText(1) + gapText(2, 4) + eventText(5) + eventText(6)), 0)).toEqual([
      { events: [stored(1)] },
      { gap: { from: 2, to: 4 }, events: [stored(5), stored(6)] },
    ])
  })

  test('leave out what was there already', () => {
    expect(pagesOf(framesOf(gapText(1, 2) + eventText(3) + eventText(4)), 3)).toEqual([
      { events: [stored(4)] },
    ])
    expect(pagesOf(framesOf(gapText(1, 4)), 2)).toEqual([{ events: [], gap: { from: 3, to: 4 } }])
    expect(pagesOf(framesOf(': nothing\n\n'), 2)).toEqual([])
  })
})
