import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { KnownLine } from '../../../src/child/lines/child-line.ts'
import { pieceOf } from '../../../src/child/lines/stream-event-line.ts'
import { parseJson } from '../../../src/text/json-text.ts'
import { runs } from '../../rig/tools/property-runs.ts'

const PLACE = { session_id: '3e96ef3b-a648-45b2-b42a-18b2c3b57948', parent_tool_use_id: null }
const UUID = '65d7cd39-6615-44c4-b9a3-9c3d8acee43d'
const line = (delta: unknown, more: object = {}) =>
  JSON.stringify({
    type: 'stream_event',
    event: { type: 'content_block_delta', index: 0, delta },
    ...PLACE,
    uuid: UUID,
    ...more,
  })
const said = (text: string) => ({ type: 'text_delta', text })

test.each([
  ['a text', line(said('hello'))],
  ['a text with quotes and backslashes', line(said('a "b" \\ c\\" \\\\" \n \u2028 é'))],
  ['no text', line(said(''))],
  ['of an agent', line(said('hello'), { parent_tool_use_id: 'toolu_1' })],
  ['with the id of its message', line(said('hello'), { api_message_id: 'msg_1' })],
  ['of an input', line({ type: 'input_json_delta', partial_json: '{"a' })],
  ['of a thought', line({ type: 'thinking_delta', thinking: 'hm' })],
  ['of a signature', line({ type: 'signature_delta', signature: 'x' })],
])('an ordinary piece is read by hand as its schema would read it: %s', (_, text) => {
  expect(pieceOf(text)).toEqual(KnownLine.parse(JSON.parse(text)))
})

test.each([
  ['another line', line(said('hello')).replace('stream_event', 'assistant')],
  ['another piece', JSON.stringify({ type: 'stream_event', event: { type: 'message_stop' }, ...PLACE })],
  ['a line without a parent', line(said('hello')).replace(',"parent_tool_use_id":null', '')],
  ['a parent that is a number', line(said('hello'), { parent_tool_use_id: 7 })],
  ['a parent with a quote', line(said('hello'), { parent_tool_use_id: 'a"b' })],
  ['a delta that is null', line(null)],
  ['a delta without a type', line({ text: 'hello' })],
  ['a text that is null', line({ type: 'text_delta', text: null })],
  ['a second text', line({ type: 'text_delta', text: 'a', thinking: 'b' })],
  ['a field twice', line(said('hello')).replace(/\}$/, ',"parent_tool_use_id":"other"}')],
  ['a field that is not known', line(said('hello'), { event2: {} })],
  ['a control character in the text', line(said('hello')).replace('hello', 'hel\tlo')],
  ['a text that does not end', line(said('hello')).replace('hello"', 'hello\\"')],
  ['more after it', `${line(said('hello'))} x`],
  ['a piece of it', line(said('hello')).slice(0, -1)],
])('anything unusual is left to the schema: %s', (_, text) => {
  expect(pieceOf(text)).toBeUndefined()
})

/** Characters that mean something in the line among those that mean nothing. */
const text = fc.string({ unit: fc.oneof(fc.constantFrom('"', '\\', '}', ',', 'u', '\n'), fc.string()) })

test('a text of any characters is read by hand', () => {
  fc.assert(
    fc.property(text, (content) => {
      const whole = line(said(content))
      expect(pieceOf(whole)).toEqual(KnownLine.parse(JSON.parse(whole)))
    }),
    { numRuns: runs(5_000) },
  )
})

test('whatever became of a line, it is read as its schema reads it, or not by hand', () => {
  const change = fc.record({ content: text, at: fc.nat(), cut: fc.nat({ max: 3 }), put: text })
  fc.assert(
    fc.property(change, ({ content, at, cut, put }) => {
      const whole = line(said(content))
      const start = at % whole.length
      const spoilt = whole.slice(0, start) + put + whole.slice(start + cut)
      const read = pieceOf(spoilt)
      expect(read).toEqual(read && KnownLine.parse(parseJson(spoilt)))
    }),
    { numRuns: runs(5_000) },
  )
})
