import { withoutEnd } from '../child/lines/prompt-end-marker.ts'
import type { TranscriptLine } from './transcript-line.ts'

type Content = string | unknown[]

/** The kind of a line of type `user`: the CLI uses that type for much that no person typed. */
export type UserLine =
  | { kind: 'prompt'; content: Content }
  /** A slash command or a shell line, as typed. */
  | { kind: 'command'; content: string }
  /** The output of a command that did not reach the model. */
  | { kind: 'printed'; text: string }
  /** A background task woke the session. */
  | { kind: 'wake-up' }
  | { kind: 'interruption' }
  /** Results of tools, summaries, and text that is only for the model. */
  | { kind: 'other' }

export function userLineOf(line: TranscriptLine): UserLine {
  const content = withoutEnd(line.message?.content ?? [])
  if (line.isMeta || line.isCompactSummary || isToolResult(content)) return { kind: 'other' }
  if (line.origin?.kind === 'task-notification') return { kind: 'wake-up' }
  const text = textOf(content)
  if (text.startsWith('<task-notification>')) return { kind: 'wake-up' }
  if (text.startsWith('[Request interrupted by user')) return { kind: 'interruption' }
  const printed = PRINTED.exec(text)
  if (printed) return { kind: 'printed', text: (printed[2] ?? '').trim() }
  const command = commandOf(text)
  if (command !== undefined) return { kind: 'command', content: command }
  return content.length === 0 ? { kind: 'other' } : { kind: 'prompt', content }
}

/** The text of a message without its images and documents. */
export function textOf(content: Content): string {
  if (typeof content === 'string') return content
  const texts = content.flatMap((block) =>
    isObject(block) && 'text' in block && typeof block.text === 'string' ? [block.text] : [],
  )
  return texts.join('\n')
}

const PRINTED = /^<(local-command-stdout|local-command-stderr|bash-stdout|bash-stderr)>(.*?)<\/\1>/s

/** `<command-name>/x</command-name>…<command-args>y</command-args>` as `/x y`; the order of the parts varies. */
function commandOf(text: string): string | undefined {
  const shell = /^<bash-input>(.*)<\/bash-input>/s.exec(text)
  if (shell) return `!${shell[1]}`
  if (!/^<command-(name|message)>/.test(text)) return undefined
  const name = /<command-name>(.*?)<\/command-name>/s.exec(text)?.[1]
  const args = /<command-args>(.*?)<\/command-args>/s.exec(text)?.[1]
  return name === undefined ? undefined : `${name} ${args ?? ''}`.trim()
}

function isToolResult(content: Content): boolean {
  return (
    typeof content !== 'string' &&
    content.some((block) => isObject(block) && 'type' in block && block.type === 'tool_result')
  )
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null
