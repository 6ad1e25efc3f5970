import { expect, test } from 'vitest'
import { KnownLine } from '../../../src/child/lines/child-line.ts'
import { streamEventOf } from '../../../src/child/lines/stream-event-line.ts'

const delta = { type: 'text_delta', text: 'hello' }
const line = (event: unknown, more: object = {}) => ({
  type: 'stream_event',
  event,
  parent_tool_use_id: null,
  ...more,
})

test.each([
  ['a text', line({ type: 'content_block_delta', delta })],
  ['of an agent', line({ type: 'content_block_delta', delta }, { parent_tool_use_id: 'tool' })],
  ['of another kind', line({ type: 'content_block_delta', delta: { type: 'input_json_delta' } })],
  ['without a delta', line({ type: 'message_stop', index: 0 })],
])('an ordinary piece is read by hand as its schema would read it: %s', (_, json) => {
  const read = streamEventOf(json)
  expect(read).toEqual(KnownLine.parse(json))
})

const odd = (value: unknown) => line({ type: 'content_block_delta', delta: value })

test.each([
  ['another line', { ...line({ type: 'x' }), type: 'assistant' }],
  ['a line without a type', { event: { type: 'x' }, parent_tool_use_id: null }],
  ['a line without an event', { type: 'stream_event', parent_tool_use_id: null }],
  ['a line without a parent', { type: 'stream_event', event: { type: 'x' } }],
  ['a parent that is a number', line({ type: 'x' }, { parent_tool_use_id: 7 })],
  ['an event that is a text', line('x')],
  ['an event that is null', line(null)],
  ['an event without a type', line({ delta })],
  ['an event whose type is a number', line({ type: 7, delta })],
  ['a delta that is a text', odd('x')],
  ['a delta that is null', odd(null)],
  ['a delta without a type', odd({ text: 'hello' })],
  ['a delta whose type is a number', odd({ type: 7, text: 'hello' })],
  ['a text that is a number', odd({ type: 'text_delta', text: 7 })],
  ['a text that is null', odd({ type: 'text_delta', text: null })],
])('anything unusual is left to the schema: %s', (_, json) => {
  expect(streamEventOf(json)).toBeUndefined()
})
