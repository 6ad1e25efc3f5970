import { LineSplitter } from '../src/text/line-splitter.ts'
import { inPairs, speedOf, type Figure } from './harness/figure.ts'

const CHUNK = 64 * 1024

export const figure: Figure = {
  id: 'line-splitting',
  title: 'small lines in 64 KiB chunks, split and parsed',
  reference: 'decode the whole, split, JSON.parse',
  unit: 'MB/s',
  goal: { min: 0.9 },
  async run() {
    const bytes = smallLines(20_000_000)
    return await inPairs(
      60,
      speedOf(bytes.length, () => splitAndParse(bytes)),
      speedOf(bytes.length, () => parseWhole(bytes)),
    )
  },
}

export function splitAndParse(bytes: Buffer): void {
  const splitter = new LineSplitter()
  for (let start = 0; start < bytes.length; start += CHUNK) {
    for (const line of splitter.push(bytes.subarray(start, start + CHUNK))) JSON.parse(line.text)
  }
}

export function parseWhole(bytes: Buffer): void {
  for (const line of bytes.toString().split('\n')) if (line !== '') JSON.parse(line)
}

/**
 * What a child prints with partial messages: mostly deltas, now and then a message. ASCII only, which is the
 * best case of the reference: with one wider character its whole text takes twice the memory.
 */
function smallLines(bytes: number): Buffer {
  const ids = { session_id: '5f0c7a52-9a3e-4a51-8d5e-0b8f4f1f2a10', parent_tool_use_id: null }
  const words = ['reads the file ', 'and then ', 'naive ', 'the test "passes" ', '-> done\n', 'const x = 1\n']
  const parts: string[] = []
  for (let length = 0, turn = 0; length < bytes; turn++) {
    const uuid = `00000000-0000-4000-8000-${String(turn).padStart(12, '0')}`
    const text = words[turn % words.length] ?? ''
    const message = {
      id: `msg_${turn}`,
      role: 'assistant',
      content: [{ type: 'text', text: text.repeat(60) }],
    }
    const delta = { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } }
    const line =
      turn % 20 === 19
        ? { type: 'assistant', message, ...ids, uuid }
        : { type: 'stream_event', event: delta, ...ids, uuid }
    const part = JSON.stringify(line) + '\n'
    parts.push(part)
    length += part.length
  }
  return Buffer.from(parts.join(''))
}
