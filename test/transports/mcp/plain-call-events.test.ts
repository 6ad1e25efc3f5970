/** What happens in the middle of a plain call, and what is left when it is over. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { CallerMemory } from '../../../src/api/operation/caller-memory.ts'
import { type PlainCallsParts, PlainToolCalls } from '../../../src/transports/mcp/plain-tool-calls.ts'
import { resolvable } from '../../rig/clients/people.ts'

type Options = Parameters<PlainCallsParts['call']>[1]

const NOTHING = { working: [], dropped: [], answered: [], ended: [], asked: [] }
const ANSWER = { memory: { ...NOTHING, answered: ['q1'], asked: ['q2'] }, resultText: '{"content":[]}' }
const CANCEL = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 7 } }
const callOf = (name: string, _meta?: object) => ({
  jsonrpc: '2.0',
  id: 7,
  method: 'tools/call',
  params: { name, arguments: {}, ...(_meta ? { _meta } : {}) },
})

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
})

/** Each call of the hub is answered by the test. */
function aClient() {
  const memory = new CallerMemory()
  memory.noteResult({ ended: [], asked: ['q1'] })
  const sent: { id?: number; params?: { message?: string } }[] = []
  const calls: { options: Options; answer: (answer: typeof ANSWER) => void }[] = []
  const plain = new PlainToolCalls({
    tools: new Map([
      ['quick', { waits: false }],
      ['slow', { waits: true }],
    ]),
    memory,
    progressMs: 1_000,
    call: (_, options) => {
      const { promise, resolve } = resolvable<typeof ANSWER>()
      calls.push({ options, answer: resolve })
      return promise
    },
    failed: async () => '{"isError":true}',
    send: async (message) => void sent.push(message),
    sendText: async (json) => void sent.push(JSON.parse(json) as object),
  })
  const take = (message: object) => plain.take(message, true)
  return { memory, sent, calls, take }
}

test('a session that has begun is known at once, and a text is progress for whoever asked for it', async () => {
  const { memory, sent, calls, take } = aClient()
  take(callOf('slow', { progressToken: 'p' }))
  await nextTurn()
  await nextTurn()
  calls[0]?.options.onEvent({ type: 'begun', sessionId: 's1' })
  expect(memory.known.sessions).toEqual(['s1'])
  calls[0]?.options.onEvent({ type: 'text', text: 'Hi.' })
  calls[0]?.options.onEvent({ type: 'session', sessionId: 's2', lastSeq: 1 })
  expect(memory.known.sessions).toEqual(['s1'])
  expect(sent.map(({ params }) => params?.message)).toEqual(['waiting for an answer', 'Hi.'])
  calls[0]?.answer(ANSWER)
  await nextTurn()
  expect(sent.at(-1)).toEqual({ jsonrpc: '2.0', id: 7, result: { content: [] } })
  expect(vi.getTimerCount()).toBe(0)
})

test.each([
  ['slow', undefined],
  ['quick', { progressToken: 'p' }],
])('%s with %j has no progress', async (name, meta) => {
  const { sent, calls, take } = aClient()
  take(callOf(name, meta))
  await nextTurn()
  calls[0]?.options.onEvent({ type: 'text', text: 'Hi.' })
  expect([sent, vi.getTimerCount()]).toEqual([[], 0])
})

test('a client that has the result knows the questions in it', async () => {
  const { memory, calls, take } = aClient()
  take(callOf('quick'))
  calls[0]?.answer(ANSWER)
  await nextTurn()
  expect(memory.known.questions).toEqual(['q2'])
})

test('a client that has cancelled does not: only what has happened is noted, and nothing is sent', async () => {
  const { memory, sent, calls, take } = aClient()
  take(callOf('quick'))
  expect(take(CANCEL)).toBe(true)
  calls[0]?.answer(ANSWER)
  await nextTurn()
  expect(memory.known.questions).toEqual([])
  expect(sent).toEqual([])
})

test('a call that is over is cancelled by nobody', async () => {
  const { calls, take } = aClient()
  take(callOf('quick'))
  calls[0]?.answer(ANSWER)
  await nextTurn()
  expect(take(CANCEL)).toBe(false)
})

test('a second call with the id of an open one is what a cancellation ends', async () => {
  const { calls, take } = aClient()
  take(callOf('quick'))
  take(callOf('quick'))
  calls[0]?.answer(ANSWER)
  await nextTurn()
  expect(take(CANCEL)).toBe(true)
  expect(calls.map(({ options }) => options.signal.aborted)).toEqual([false, true])
})

test('a call with another method does not cancel, whatever it names', () => {
  const { calls, take } = aClient()
  take(callOf('quick'))
  expect(take({ ...CANCEL, method: 'notifications/progress' })).toBe(false)
  expect(calls[0]?.options.signal.aborted).toBe(false)
})
