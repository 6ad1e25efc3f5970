import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Block, Message } from '../../src/demo/scenario.ts'
import { say, tools, use } from '../../src/demo/scenario.ts'
import type { Frame } from '../../src/demo/sse-messages.ts'
import { cutFramesOf, framesOf, sseTextOf, wholeMessageOf } from '../../src/demo/sse-messages.ts'
import { codePoint } from '../rig/tools/code-point.ts'

const factsFrom = (start = 0) => {
  let n = start
  return { newId: (prefix: string) => `${prefix}_${++n}`, model: 'claude-x', inputTokens: 100 }
}

const reasonOf = (message: Message) => wholeMessageOf(message, factsFrom())['stop_reason']

const usageOf = (text: string) => wholeMessageOf(say(text), factsFrom())['usage']

const typesOf = (frames: Frame[]) => frames.map(({ event }) => event.type)

/** What a client makes of a stream, written down once more on its own. */
function assemble(frames: Frame[]): unknown[] {
  const blocks: Record<string, string>[] = []
  for (const { event } of frames) {
    const index = Number(event['index'])
    if (event.type === 'content_block_start')
      blocks[index] = { json: '', ...asRecord(event['content_block']) }
    if (event.type !== 'content_block_delta') continue
    const block = blocks[index] ?? {}
    for (const [field, value] of Object.entries(asRecord(event['delta']))) {
      const target = field === 'partial_json' ? 'json' : field
      if (field !== 'type') block[target] = (block[target] ?? '') + value
    }
  }
  return blocks.map(({ json, ...block }) =>
    block['type'] === 'tool_use' ? { ...block, input: JSON.parse(json ?? '') } : block,
  )
}

const asRecord = (value: unknown): Record<string, string> => ({ ...(typeof value === 'object' ? value : {}) })

const anyBlock: fc.Arbitrary<Block> = fc.oneof(
  fc.record({ type: fc.constant('text' as const), text: fc.string({ unit: codePoint }), chunkMs: fc.nat(3) }),
  fc.record({ type: fc.constant('thinking' as const), text: fc.string() }),
  fc.record({
    type: fc.constant('tool' as const),
    name: fc.string(),
    input: fc.dictionary(fc.string(), fc.jsonValue()),
  }),
)

test('a stream adds up to the same message as one sent whole', () => {
  fc.assert(
    fc.property(fc.array(anyBlock), (blocks) => {
      const whole = wholeMessageOf({ blocks }, factsFrom())
      // Through JSON, because that is what a client reads (it has no -0).
      expect(JSON.stringify(assemble(framesOf({ blocks }, factsFrom())))).toBe(
        JSON.stringify(whole['content']),
      )
    }),
  )
})

test('a stream begins, closes every block and ends', () => {
  expect(typesOf(framesOf(say('hi'), factsFrom()))).toEqual([
    'message_start',
    'content_block_start',
    'content_block_delta',
    'content_block_stop',
    'message_delta',
    'message_stop',
  ])
})

test('a huge tool input comes in several pieces', () => {
  const input = { content: 'é😀'.repeat(100_000) }
  const frames = framesOf(tools(use('Write', input, 'toolu_a')), factsFrom())
  expect(typesOf(frames).filter((type) => type === 'content_block_delta').length).toBeGreaterThan(1)
  expect(assemble(frames)).toEqual([{ type: 'tool_use', id: 'toolu_a', name: 'Write', input }])
})

test('a slow text pauses before each few words', () => {
  const frames = framesOf({ blocks: [{ type: 'text', text: 'a b c d e f g', chunkMs: 7 }] }, factsFrom())
  expect(frames.filter(({ afterMs }) => afterMs === 7)).toHaveLength(3)
})

test('the stop reason follows from the blocks unless it is given', () => {
  expect(reasonOf(say('hi'))).toBe('end_turn')
  expect(reasonOf(tools(use('Bash', {})))).toBe('tool_use')
  expect(reasonOf({ ...say('hi'), stopReason: 'max_tokens' })).toBe('max_tokens')
})

test('each use of a tool without an id gets a new id', () => {
  expect(wholeMessageOf(tools(use('Bash', {}), use('Bash', {})), factsFrom())['content']).toMatchObject([
    { id: 'toolu_2' },
    { id: 'toolu_3' },
  ])
})

test('a cut stream leaves its last block open', () => {
  const cut = cutFramesOf([{ type: 'text', text: 'one' }, use('Bash', { command: 'ls' })], factsFrom())
  expect(typesOf(cut).slice(-2)).toEqual(['content_block_start', 'content_block_delta'])
  expect(typesOf(cut).filter((type) => type === 'content_block_stop')).toHaveLength(1)
  expect(typesOf(cutFramesOf([], factsFrom()))).toEqual(['message_start'])
})

test('usage grows with the size of the message', () => {
  expect(usageOf('')).toMatchObject({ input_tokens: 100, output_tokens: 1 })
  expect(usageOf('x'.repeat(400))).toMatchObject({ output_tokens: 100 })
})

test('a frame is one event of a server-sent stream', () => {
  expect(sseTextOf({ event: { type: 'ping', text: 'a\nb' }, afterMs: 0 })).toBe(
    'event: ping\ndata: {"type":"ping","text":"a\\nb"}\n\n',
  )
})
