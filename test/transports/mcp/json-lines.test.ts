import { PassThrough } from 'node:stream'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { MAX_MESSAGE_BYTES } from '../../../src/base/limits.ts'
import { JsonLines } from '../../../src/transports/mcp/json-lines.ts'

function connection() {
  const [input, output] = [new PassThrough(), new PassThrough()]
  const taken: unknown[] = []
  const lines = new JsonLines(input, output, (message) => taken.push(message))
  const sent = () =>
    String(output.read() ?? '')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as unknown)
  return { input, output, taken, lines, sent }
}

test('every message arrives once and in order, wherever the stream is cut', () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue(), { maxLength: 10 }), fc.array(fc.nat(400)), (messages, cuts) => {
      const { input, taken } = connection()
      const bytes = Buffer.from(messages.map((message) => `${JSON.stringify(message)}\n`).join(''))
      const places = [0, ...cuts.filter((at) => at < bytes.length).toSorted((a, b) => a - b), bytes.length]
      for (const [nth, at] of places.slice(1).entries()) input.emit('data', bytes.subarray(places[nth], at))
      expect(taken).toEqual(messages.map((message) => JSON.parse(JSON.stringify(message)) as unknown))
    }),
  )
})

test('what is no JSON is said to be none, and the next message counts', () => {
  const { input, taken, sent } = connection()
  input.emit('data', Buffer.from('{"a":\nnonsense\n\r\n{"a":1}\n'))
  expect(taken).toEqual([{ a: 1 }])
  const refusal = { jsonrpc: '2.0', id: null, error: { code: -32700, message: 'This is not JSON.' } }
  expect(sent()).toEqual([refusal, refusal])
})

test('a message of 16 MiB passes, a longer one is refused and not kept', () => {
  const { input, taken, sent } = connection()
  const largest = JSON.stringify('x'.repeat(MAX_MESSAGE_BYTES - 2))
  input.emit('data', Buffer.from(`${largest}\n${largest} \n1\n`))
  expect(taken.map((one) => (typeof one === 'string' ? one.length : one))).toEqual([MAX_MESSAGE_BYTES - 2, 1])
  expect(sent()).toMatchObject([{ id: null, error: { code: -32600 } }])
})

const deep = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels)

test('S4: a message that is nested too deeply is refused before it is parsed', () => {
  const { input, taken, sent } = connection()
  input.emit('data', Buffer.from(`${deep(64)}\n${deep(65)}\n${'['.repeat(1_000_000)}\n1\n`))
  expect(taken).toEqual([JSON.parse(deep(64)), 1])
  expect(sent()).toMatchObject([{ error: { code: -32600 } }, { error: { code: -32600 } }])
})

test.each(['end of input', 'broken input', 'broken output'])('it is over at the %s', async (how) => {
  const { input, output, lines } = connection()
  if (how === 'end of input') input.resume().end()
  else (how === 'broken input' ? input : output).destroy(new Error('EPIPE'))
  await expect(lines.closed).resolves.toBeUndefined()
})
