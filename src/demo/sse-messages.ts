import type { Block, Message } from './scenario.ts'

export interface MessageFacts {
  /** Makes ids such as `msg_…` and `toolu_…`; never the same twice. */
  newId: (prefix: string) => string
  model: string
  inputTokens: number
  /** Output counts no tokens either. */
  isFree?: boolean
}

export interface Frame {
  event: { type: string; [field: string]: unknown }
  /** Pause before this frame. */
  afterMs: number
}

const WORDS_PER_CHUNK = 3
const TOOL_INPUT_CHUNK = 65_536

/** A message of the Messages API as the events of its stream. Pure. */
export function framesOf(message: Message, facts: MessageFacts): Frame[] {
  return [
    frame({ type: 'message_start', message: { ...envelopeOf(facts), usage: usageOf(facts, 1) } }),
    ...message.blocks.flatMap((block, index) => blockFrames(block, index, facts)),
    frame({
      type: 'message_delta',
      delta: { stop_reason: stopReasonOf(message), stop_sequence: null },
      usage: usageOf(facts, outputTokensOf(message.blocks)),
    }),
    frame({ type: 'message_stop' }),
  ]
}

/** The events before a connection is cut: the last block is not closed, and nothing follows it. */
export function cutFramesOf(blocks: Block[], facts: MessageFacts): Frame[] {
  const endings = ['content_block_stop', 'message_delta', 'message_stop']
  const frames = framesOf({ blocks }, facts)
  return frames.slice(0, frames.findLastIndex(({ event }) => !endings.includes(event.type)) + 1)
}

export function wholeMessageOf(message: Message, facts: MessageFacts): Record<string, unknown> {
  return {
    ...envelopeOf(facts),
    content: message.blocks.map((block) => wholeBlockOf(block, facts)),
    stop_reason: stopReasonOf(message),
    usage: usageOf(facts, outputTokensOf(message.blocks)),
  }
}

export function sseTextOf({ event }: Frame): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`
}

function blockFrames(block: Block, index: number, facts: MessageFacts): Frame[] {
  return [
    frame({ type: 'content_block_start', index, content_block: emptyBlockOf(block, facts) }),
    ...deltasOf(block).map((delta) =>
      frame({ type: 'content_block_delta', index, delta }, block.type === 'text' ? block.chunkMs : 0),
    ),
    frame({ type: 'content_block_stop', index }),
  ]
}

function emptyBlockOf(block: Block, { newId }: MessageFacts): Record<string, unknown> {
  if (block.type === 'text') return { type: 'text', text: '' }
  if (block.type === 'thinking') return { type: 'thinking', thinking: '', signature: '' }
  return { type: 'tool_use', id: block.id ?? newId('toolu'), name: block.name, input: {} }
}

function deltasOf(block: Block): Record<string, unknown>[] {
  if (block.type === 'text') {
    const chunks = block.chunkMs ? wordChunks(block.text) : [block.text]
    return chunks.map((text) => ({ type: 'text_delta', text }))
  }
  if (block.type === 'thinking') {
    return [
      { type: 'thinking_delta', thinking: block.text },
      { type: 'signature_delta', signature: SIGNATURE },
    ]
  }
  const json = JSON.stringify(block.input ?? {})
  return slices(json, TOOL_INPUT_CHUNK).map((partial_json) => ({ type: 'input_json_delta', partial_json }))
}

function wholeBlockOf(block: Block, facts: MessageFacts): Record<string, unknown> {
  const empty = emptyBlockOf(block, facts)
  if (block.type === 'text') return { ...empty, text: block.text }
  if (block.type === 'thinking') return { ...empty, thinking: block.text, signature: SIGNATURE }
  return { ...empty, input: block.input ?? {} }
}

/** The CLI does not verify it, but it must be present and not empty. */
const SIGNATURE = 'c2NyaXB0ZWQ='

function envelopeOf({ newId, model }: MessageFacts) {
  return {
    id: newId('msg'),
    type: 'message',
    role: 'assistant',
    model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
  }
}

function usageOf({ inputTokens, isFree }: MessageFacts, outputTokens: number) {
  return {
    input_tokens: inputTokens,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    output_tokens: isFree ? 0 : outputTokens,
  }
}

function stopReasonOf({ blocks, stopReason }: Message): string {
  return stopReason ?? (blocks.some(({ type }) => type === 'tool') ? 'tool_use' : 'end_turn')
}

function lengthOf(block: Block): number {
  return block.type === 'tool' ? JSON.stringify(block.input ?? {}).length : block.text.length
}

function outputTokensOf(blocks: Block[]): number {
  return Math.max(1, Math.ceil(blocks.reduce((sum, block) => sum + lengthOf(block), 0) / 4))
}

function wordChunks(text: string): string[] {
  return text.match(new RegExp(`\\s*(?:\\S+\\s*){1,${WORDS_PER_CHUNK}}`, 'g')) ?? [text]
}

function slices(text: string, size: number): string[] {
  return Array.from({ length: Math.ceil(text.length / size) }, (_, i) => text.slice(i * size, (i + 1) * size))
}

function frame(event: Frame['event'], afterMs = 0): Frame {
  return { event, afterMs }
}
