import { expect, test } from 'vitest'
import { createSigner } from '../../../src/text/signed-text.ts'
import { cutCallIn, eventIdOf, toolCallIn } from '../../../src/transports/mcp/resumable-call.ts'

const signer = createSigner('a key')
const call = (given: object) => {
  const message = toolCallIn({
    jsonrpc: '2.0',
    id: 7,
    method: 'tools/call',
    params: {
      name: 'claude_start',
      arguments: given,
      _meta: { progressToken: 7, other: 'x'.repeat(10_000) },
    },
  })
  if (!message) throw new Error('This is a call.')
  return message
}

test('an event id says which call it is of, is short, and is read by the same connection only', () => {
  const given = {
    prompt: 'x'.repeat(1_000_000),
    waitSeconds: 50,
    agents: { a: 'y'.repeat(300), b: ['z'.repeat(500)] },
  }
  const id = eventIdOf(signer, { connection: 'c', message: call(given), sessionId: 's' })
  expect(id.length).toBeLessThan(3_000)
  const cut = cutCallIn(signer, id, 'c')
  const params = { name: 'claude_start', _meta: { progressToken: 7 } }
  expect(cut).toMatchObject({ sessionId: 's', message: { id: 7, params } })
  expect(cut?.message.params.arguments).toMatchObject({ waitSeconds: 50, prompt: 'x'.repeat(150) })
  expect(cutCallIn(signer, id, 'd')).toBeUndefined()
  expect(cutCallIn(createSigner('another'), id, 'c')).toBeUndefined()
  expect(cutCallIn(signer, signer.sign('connection', { connection: 'c' }), 'c')).toBeUndefined()
})

const HEAD = { jsonrpc: '2.0', id: 7, method: 'tools/call' }
const short = (arguments_: Record<string, unknown>, meta?: object) => {
  const message = toolCallIn({ ...HEAD, params: { name: 'n', arguments: arguments_, _meta: meta } })
  if (!message) throw new Error('This is a call.')
  return cutCallIn(signer, eventIdOf(signer, { connection: 'c', message }), 'c')?.message.params
}

test('long texts are shortened wherever they are, and what is no text stays as it is', () => {
  const [long, cut] = ['x'.repeat(151), 'x'.repeat(150)]
  const given = { list: [long, 1, null], inside: { text: long, flag: true }, nothing: null, number: 5 }
  expect(short(given)).toEqual({
    name: 'n',
    arguments: { list: [cut, 1, null], inside: { text: cut, flag: true }, nothing: null, number: 5 },
  })
})

/** As JSON it has 504 bytes more than `count`. */
const listOf = (count: number) => Array.from({ length: 6 }, (_, at) => 'x'.repeat(at < 5 ? 97 : count))

test('a field of more than 600 bytes is left out, and so is each field after the twelfth', () => {
  const fits = listOf(96)
  expect(JSON.stringify(fits)).toHaveLength(600)
  expect(short({ fits, large: listOf(97) })?.arguments).toEqual({ fits })
  const many = Object.fromEntries(Array.from({ length: 13 }, (_, at) => [`field${at}`, at]))
  expect(Object.keys(short(many)?.arguments ?? {})).toEqual(Object.keys(many).slice(0, 12))
})

test('a call without a progress token is resumed without one', () => {
  for (const meta of [undefined, {}, { other: 1 }])
    expect(short({}, meta)).toEqual({ name: 'n', arguments: {} })
  expect(short({}, { progressToken: 'p' })).toHaveProperty('_meta', { progressToken: 'p' })
})

const params = { name: 'n' }

test.each([
  ['another method', { ...HEAD, method: 'ping', params }],
  ['no version', { ...HEAD, jsonrpc: undefined, params }],
  ['no parameters', HEAD],
  ['no name', { ...HEAD, params: {} }],
  ['a long name', { ...HEAD, params: { name: 'n'.repeat(101) } }],
  ['a long id', { ...HEAD, id: 'i'.repeat(201), params }],
  ['an id that is none', { ...HEAD, id: {}, params }],
  ['arguments that are none', { ...HEAD, params: { name: 'n', arguments: [] } }],
  ['a token that is none', { ...HEAD, params: { name: 'n', _meta: { progressToken: {} } } }],
])('a message with %s is no call that can be resumed', (_, message) => {
  expect(toolCallIn(message)).toBeUndefined()
})

test('a call may have a text as its id, and fields that are not known', () => {
  const message = { ...HEAD, id: 'i'.repeat(200), params: { name: 'n'.repeat(100), task: {} } }
  expect(toolCallIn(message)).toEqual(message)
})
