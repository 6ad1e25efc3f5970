import { expect, test } from 'vitest'
import { poll } from '../../../src/api/claudecode/poll.ts'
import { permit } from '../../../src/api/loopback/permit.ts'
import { jsonOfResult, toolResult, withNotes } from '../../../src/transports/operation/tool-result.ts'

/** What an SDK takes on stdio. */
const MOST_BYTES = 10 * 1024 * 1024
const bytesOf = (value: object) => Buffer.byteLength(JSON.stringify(value))
const events = (...texts: string[]) => texts.map((text, seq) => ({ seq, event: { type: 'content', text } }))

test('what fits is returned as it is', () => {
  const result = { events: events('x'.repeat(1_500_000)) }
  const told = withNotes(toolResult(poll, result), ['by the way'])
  expect(told.structuredContent).toEqual(result)
  expect(told.content).toHaveLength(2)
})

test.each([
  ['one long text', events('x'.repeat(6_000_000))],
  ['texts that grow in a message', events('"\\\n'.repeat(300_000), '\u0001'.repeat(300_000))],
  ['texts of three bytes', events('…'.repeat(2_000_000))],
  [
    'a longer text beside others',
    events('x'.repeat(5_000_000), ...Array.from({ length: 1_000 }, () => 'y'.repeat(6_000))),
  ],
  ['a thousand texts', events(...Array.from({ length: 1_000 }, () => 'y'.repeat(6_000)))],
])('of %s so much is returned that a client takes it, in the same shape', (_, given) => {
  const { structuredContent, content } = toolResult(poll, { events: given })
  expect(bytesOf({ structuredContent, content })).toBeLessThan(MOST_BYTES)
  expect(bytesOf({ structuredContent, content })).toBeGreaterThan(1_000_000)
  const [text, note] = content.map((block) => (block.type === 'text' ? block.text : ''))
  expect(JSON.parse(text ?? '')).toEqual(structuredContent)
  expect(text).toContain('characters are not shown')
  expect(note).toContain('claudecode.poll')
  expect(structuredContent).toMatchObject({ events: given.map(({ seq }) => ({ seq })) })
})

test('the largest message is sent as it is, and with one character more it is shortened', () => {
  const largest = { t: 'x'.repeat(3_999_986) }
  expect(Buffer.byteLength(JSON.stringify(JSON.stringify(largest)))).toBe(4_000_000)
  expect(toolResult(poll, largest).structuredContent).toEqual(largest)
  expect(toolResult(poll, { t: `${largest.t}x` }).content).toHaveLength(2)
})

test('what is no text stays as it is in a result that is shortened', () => {
  const rest = { nothing: null, number: 1, flag: true, list: [null, 'short'] }
  const { structuredContent } = toolResult(poll, { ...rest, text: 'x'.repeat(6_000_000) })
  expect(structuredContent).toMatchObject(rest)
})

test.each([
  ['a result with a shape', toolResult(poll, { events: events('a') })],
  ['one with notes', withNotes(toolResult(poll, { a: 'ä"' }), ['by the way'])],
  ['one without a shape', toolResult(permit, { behavior: 'allow' })],
  ['an error', { content: [{ type: 'text' as const, text: 'no' }], isError: true }],
  ['one without a text', { content: [], structuredContent: { a: 1 } }],
])('%s is the same as JSON', (_, result) => {
  expect(JSON.parse(jsonOfResult(result))).toEqual(result)
})

test('what has no long texts and is still too much is refused', () => {
  const longNames = Object.fromEntries([1, 2].map((at) => [`${at}${'x'.repeat(2_000_000)}`, null]))
  expect(() => toolResult(poll, longNames)).toThrow('ask for less')
})

test('S9: what a child is answered is never cut: it is what runs', () => {
  const result = { behavior: 'allow', updatedInput: { content: 'x'.repeat(12_000_000) } }
  const [block] = toolResult(permit, result).content
  expect(block?.type === 'text' && block.text === JSON.stringify(result)).toBe(true)
})
