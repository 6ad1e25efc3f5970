import type { ToolResult } from '../../api/operation/operation-call.ts'
import type { Operation } from '../../api/operation/operation.ts'
import { shortenText } from '../../api/views/shorten-text.ts'
import { AppError } from '../../base/errors.ts'

/** As an object and as text. A result without a shape is an answer to a child, and is never shortened: it is what runs. */
export function toolResult(operation: Operation, result: object): ToolResult {
  if (!operation.output) return { content: [textBlock(JSON.stringify(result))] }
  const { value, text, cut } = fitting(operation, result)
  const texts = cut ? [text, tooMuch(operation)] : [text]
  return { content: texts.map(textBlock), structuredContent: { ...value } }
}

/** Adds notes for the caller. */
export function withNotes(result: ToolResult, notes: readonly string[]): ToolResult {
  return { ...result, content: [...result.content, ...notes.map(textBlock)] }
}

/** As JSON. The object is the same as the text, so it is not serialized a second time. */
export function jsonOfResult(result: ToolResult): string {
  const [first] = result.content
  if (!result.structuredContent || !first) return JSON.stringify(result)
  const { structuredContent: _, ...rest } = result
  return `${JSON.stringify(rest).slice(0, -1)},"structuredContent":${first.text}}`
}

function textBlock(text: string) {
  return { type: 'text' as const, text }
}

interface Fitting {
  readonly value: object
  readonly text: string
  readonly cut: boolean
}

/** A client on stdio closes its connection over a message of 10 MB: a larger result is sent without the middles of its texts. */
function fitting(operation: Operation, result: object): Fitting {
  const whole = { value: result, text: JSON.stringify(result), cut: false }
  if (fits(whole.text)) return whole
  for (let characters = MAX_BYTES; characters >= MIN_CHARACTERS; characters /= 2) {
    const { value, cut } = withoutMiddles(result, characters)
    if (!cut) continue
    const text = JSON.stringify(value)
    if (fits(text)) return { value, text, cut }
  }
  throw new AppError('invalid_input', `${tooMuch(operation)} Or ask for less.`)
}

/** Shortens the texts and keeps the shape; `cut` is whether any text was shortened. */
function withoutMiddles(value: object, max: number): { value: object; cut: boolean } {
  let cut = false
  const short = (part: unknown): unknown => {
    if (typeof part === 'string') {
      cut ||= part.length > max
      return shortenText(part, max)
    }
    if (Array.isArray(part)) return part.map(short)
    return typeof part === 'object' && part !== null ? fields(part) : part
  }
  const fields = (part: object): object =>
    Object.fromEntries(Object.entries(part).map(([key, inner]) => [key, short(inner)]))
  return { value: fields(value), cut }
}

/** The text is escaped in the message, and so takes more; the object beside it takes less than that. */
function fits(text: string): boolean {
  if (text.length > MAX_BYTES) return false
  return text.length < MAX_BYTES / 7 || Buffer.byteLength(JSON.stringify(text)) <= MAX_BYTES
}

function tooMuch({ name }: Operation): string {
  return `This is more than a client takes in one message; POST /rpc with the method ${name} returns all of it.`
}

const MAX_BYTES = 4_000_000
const MIN_CHARACTERS = 50
