import { parseJson } from '../../text/json-text.ts'
import type { ChildLine } from './child-line.ts'

type StreamEventLine = Extract<ChildLine, { type: 'stream_event' }>

/**
 * Nine lines in ten are pieces of a message, and of each only the text is kept, so these are read by hand: no object is made of the
 * rest. The result is always that of the schema; undefined if anything in the line is unusual.
 */
export function pieceOf(line: string): StreamEventLine | undefined {
  if (!line.startsWith(BEGINNING)) return undefined
  KIND.lastIndex = BEGINNING.length
  const [kind, type, field] = KIND.exec(line) ?? []
  if (kind === undefined || type === undefined) return undefined
  const start = BEGINNING.length + kind.length - 1
  const end = endOfText(line, start + 1)
  END.lastIndex = end
  const [, parent] = END.exec(line) ?? []
  const text = parent === undefined ? undefined : parseJson(line.slice(start, end))
  if (parent === undefined || typeof text !== 'string') return undefined
  return {
    type: 'stream_event',
    event: { type: 'content_block_delta', delta: { type, text: field === 'text' ? text : undefined } },
    parent_tool_use_id: parent === 'null' ? null : parent.slice(1, -1),
  }
}

/** The index after the quote that ends a text; after the line if none does. */
function endOfText(line: string, start: number): number {
  for (let from = start; ;) {
    const quote = line.indexOf('"', from)
    if (quote === -1) return line.length
    let backslashes = 0
    while (line[quote - 1 - backslashes] === '\\') backslashes++
    if (backslashes % 2 === 0) return quote + 1
    from = quote + 1
  }
}

const BEGINNING = '{"type":"stream_event","event":{"type":"content_block_delta","index":'
const KIND = /\d{1,9},"delta":\{"type":"(\w+)","(text|thinking|partial_json|signature)":"/y
/** The fields after the text. None that counts may follow: of two with one name the last counts. */
const END =
  /\}\},"session_id":"[\w-]*","parent_tool_use_id":(null|"[\w-]*")(?:,"(?:uuid|api_message_id)":"[\w-]*")*\}\r?$/y
