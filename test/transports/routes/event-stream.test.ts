import { setImmediate } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { AppError } from '../../../src/base/errors.ts'
import type { Engine } from '../../../src/engine/engine.ts'
import type { StoredEvent } from '../../../src/events/event-log.ts'
import type { Page } from '../../../src/sessions/record/read-events.ts'
import { followInput, streamEvents } from '../../../src/transports/routes/event-stream.ts'
import { aSession } from '../../contracts/rows.ts'
import { asCallerId } from '../../rig/tools/ids.ts'
import { SlowResponse } from '../../rig/tools/slow-response.ts'

const wrong = (query: string, lastEventId?: string) => {
  try {
    return followInput(new URLSearchParams(query), lastEventId)
  } catch (error) {
    return error
  }
}

const field = (name: string) => ({
  code: 'invalid_input',
  message: expect.stringMatching(new RegExp(`^${name} must be`)) as unknown,
  data: { field: name },
})

test('what is wrong with a request for events is said in its own words', () => {
  expect(wrong('sessionId=x')).toMatchObject(field('session'))
  expect(wrong('session=x&after=last')).toMatchObject(field('after'))
  expect(wrong('session=x&after=1', 'abc')).toMatchObject(field('Last-Event-ID'))
  expect(wrong('session=x&after=1', '7')).toEqual({ sessionId: 'x', after: 7 })
  expect(wrong('session=x&after=12')).toEqual({ sessionId: 'x', after: 12 })
  expect(wrong('session=x')).toEqual({ sessionId: 'x', after: 0 })
  expect(wrong('')).toEqual({})
  expect(wrong('after=7')).toEqual({ after: 7 })
  expect(wrong('', '9')).toEqual({ after: 9 })
  expect(wrong('questions=1')).toEqual({ questions: true })
  expect(wrong('questions=1&after=7')).toEqual({ after: 7, questions: true })
  for (const query of ['questions=yes', 'questions=1&session=x'])
    expect(wrong(query)).toMatchObject(field('questions'))
  expect(wrong('after=x')).toMatchObject(field('after'))
  for (const after of ['-1', '1x', 'x1', '1.5', '', '1'.repeat(16)])
    expect(wrong(`session=x&after=${after}`)).toMatchObject(field('after'))
})

const stored = (seq: number): StoredEvent => ({
  seq,
  turn: 1,
  at: 5,
  event: { type: 'text', text: `event ${seq}` },
})

/** An engine of which only the events of one session are asked for; notes how many pages were. */
function engineWith(pages: readonly Page[]) {
  const taken = { pages: 0 }
  async function* followEvents(): AsyncGenerator<Page> {
    for (const page of pages) {
      taken.pages++
      yield page
    }
  }
  const engine = { getSession: async () => aSession(), followEvents }
  return { taken, engine: engine as unknown as Engine }
}

const caller = {
  id: asCallerId('operator'),
  kind: 'operator',
  name: 'operator',
  scopes: [],
  person: true,
} as const

function streamTo(response: SlowResponse, engine: Engine) {
  const over = new AbortController()
  const call = { caller, signal: over.signal }
  const done = streamEvents(response.asResponse, engine, call, { sessionId: 's1', after: 0 })
  return { over, done }
}

test('no page is asked for while the reader has not taken the last one', async () => {
  const response = new SlowResponse()
  const { engine, taken } = engineWith([1, 2, 3].map((seq) => ({ events: [stored(seq)] })))
  const { done } = streamTo(response, engine)
  for (const pages of [1, 2, 3]) {
    await setImmediate()
    expect(taken.pages).toBe(pages)
    response.emit('drain')
  }
  await done
  expect(response.ended).toBe(true)
})

test('events are sent with their numbers, and what is missing before them', async () => {
  const response = new SlowResponse()
  response.full = false
  const gap = { from: 1, to: 4 }
  const { engine } = engineWith([{ events: [stored(5), stored(6)], gap }, { events: [stored(7)] }])
  await streamTo(response, engine).done
  expect(response.status).toBe(200)
  expect(response.headers).toEqual({ 'content-type': 'text/event-stream', 'cache-control': 'no-store' })
  expect(response.written.slice(1)).toEqual([
    `event: gap\ndata: ${JSON.stringify(gap)}\n\n` +
      `id: 5\ndata: ${JSON.stringify(stored(5))}\n\nid: 6\ndata: ${JSON.stringify(stored(6))}\n\n`,
    `id: 7\ndata: ${JSON.stringify(stored(7))}\n\n`,
  ])
})

test('a reader that goes away while it is slow ends the stream, and is no error', async () => {
  const response = new SlowResponse()
  const { engine, taken } = engineWith([1, 2].map((seq) => ({ events: [stored(seq)] })))
  const { over, done } = streamTo(response, engine)
  await setImmediate()
  over.abort()
  await done
  expect([taken.pages, response.ended]).toEqual([1, true])
})

test('a reader that goes away between two pages is sent no more', async () => {
  const response = new SlowResponse()
  response.full = false
  const { engine } = engineWith([1, 2].map((seq) => ({ events: [stored(seq)] })))
  const { over, done } = streamTo(response, engine)
  over.abort()
  await done
  expect(response.written.filter((text) => text.startsWith('id: '))).toHaveLength(1)
  expect(response.ended).toBe(true)
})

test('a session that is not there is a refusal before anything is sent', async () => {
  const response = new SlowResponse()
  const refusal = new AppError('not_found', 'There is no session s1.')
  const asked: unknown[] = []
  const getSession = (_: unknown, input: unknown) => {
    asked.push(input)
    return Promise.reject(refusal)
  }
  await expect(streamTo(response, { getSession } as unknown as Engine).done).rejects.toBe(refusal)
  expect(asked).toEqual([{ sessionId: 's1' }])
  expect([response.status, response.written]).toEqual([0, []])
})

const message = (id: number, fields: object) =>
  `id: ${id}\ndata: ${JSON.stringify({ position: id, ...fields })}\n\n`
const at = (position: number, fields = {}) =>
  `id: ${position}\nevent: position\ndata: ${JSON.stringify({ position, ...fields })}\n\n`

test('of all sessions each step is one message with its position, and a page without steps, or after a gap, says where it is', async () => {
  const response = new SlowResponse()
  response.full = false
  const step = { position: 8, sessionId: 's1', events: [stored(1)] }
  const asked = [{ id: 'a1' }]
  async function* followAll() {
    yield { steps: [], position: 7 }
    yield { steps: [step, { ...step, position: 9, asked }], position: 9 }
    yield { steps: [{ ...step, position: 31 }], position: 31, missed: true }
  }
  const engine = { followAll } as unknown as Engine
  const call = { caller, signal: new AbortController().signal }
  await streamEvents(response.asResponse, engine, call, {})
  const { sessionId, events } = step
  expect(response.written.slice(1)).toEqual([
    at(7),
    message(8, { sessionId, events }) + message(9, { sessionId, events, asked }),
    at(31, { missed: true }) + message(31, { sessionId, events }),
  ])
})

async function* failing(): AsyncGenerator<Page> {
  yield { events: [] }
  throw new AppError('storage_full', 'The disk is full.')
}

test('what goes wrong while events are read is an error, and the stream ends', async () => {
  const response = new SlowResponse()
  response.full = false
  const engine = { getSession: async () => aSession(), followEvents: failing } as unknown as Engine
  await expect(streamTo(response, engine).done).rejects.toMatchObject({ code: 'storage_full' })
  expect(response.ended).toBe(true)
})

test('while nothing happens the reader gets a line from time to time, and none after the end', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const response = new SlowResponse()
  const { engine } = engineWith([{ events: [stored(1)] }])
  const { done } = streamTo(response, engine)
  await vi.advanceTimersByTimeAsync(30_000)
  expect(response.written.filter((text) => text === ': still here\n\n')).toHaveLength(2)
  response.emit('drain')
  await done
  const sent = response.written.length
  await vi.advanceTimersByTimeAsync(60_000)
  expect(response.written).toHaveLength(sent)
})
