import type { ToolResult } from '../../api/operation/operation-call.ts'
import type { Operation } from '../../api/operation/operation.ts'
import { shortenText } from '../../api/views/shorten-text.ts'
import { AppError } from '../../base/errors.ts'

/** As an object for who knows its shape, and as text for everybody. What has no shape is an answer to a child: that is what runs. */
export function toolResult(operation: Operation, result: object): ToolResult {
  if (!operation.output) return { content: [textBlock(JSON.stringify(result))] }
  const { value, text, cut } = fitting(operation, result)
  const texts = cut ? [text, tooMuch(operation)] : [text]
  return { content: texts.map(textBlock), structuredContent: { ...value } }
}

/** With what the caller should know besides. */
export function withNotes(result: ToolResult, notes: readonly string[]): ToolResult {
  return notes.length === 0 ? result : { ...result, content: [...result.content, ...notes.map(textBlock)] }
}

/** As JSON. The object beside the text is that text, so it is not written a second time. */
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

/** A client on stdio closes its connection over a message of 10 MB: what is more goes without the middles of its texts. */
function fitting(operation: Operation, result: object): Fitting {
  const whole = { value: result, text: JSON.stringify(result), cut: false }
  if (fits(whole.text)) return whole
  for (let characters = MOST_BYTES; characters >= LEAST_CHARACTERS; characters /= 2) {
    const { value, cut } = withoutMiddles(result, characters)
    if (!cut) continue
    const text = JSON.stringify(value)
    if (fits(text)) return { value, text, cut }
  }
  throw new AppError('invalid_input', `${tooMuch(operation)} Or ask for less.`)
}

/** The same in the same shape, and nothing but its texts cut; whether one was. */
function withoutMiddles(value: object, most: number): { value: object; cut: boolean } {
  let cut = false
  const short = (one: unknown): unknown => {
    if (typeof one === 'string') {
      cut ||= one.length > most
      return shortenText(one, most)
    }
    if (Array.isArray(one)) return one.map(short)
    return typeof one === 'object' && one !== null ? fields(one) : one
  }
  const fields = (one: object): object =>
    Object.fromEntries(Object.entries(one).map(([key, inner]) => [key, short(inner)]))
  return { value: fields(value), cut }
}

/** The text is put into a message, where it takes more; the object, which goes beside it, takes less than that. */
function fits(text: string): boolean {
  return text.length < MOST_BYTES / 7 || Buffer.byteLength(JSON.stringify(text)) <= MOST_BYTES
}

function tooMuch({ name }: Operation): string {
  return `This is more than a client takes in one message; POST /rpc with the method ${name} tells all of it.`
}

const MOST_BYTES = 4_000_000
const LEAST_CHARACTERS = 50
