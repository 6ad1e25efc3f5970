import { charactersOf } from '../views/columns.ts'
import type { Key } from './terminal-keys.ts'

/** A line that is being typed: what stands in front of the cursor, and what after it. */
export interface TypedLine {
  readonly before: string
  readonly after: string
}

export const EMPTY_LINE: TypedLine = { before: '', after: '' }

/** With the cursor at its end. */
export function lineOf(text: string): TypedLine {
  return text === '' ? EMPTY_LINE : { before: text, after: '' }
}

export function textOf({ before, after }: TypedLine): string {
  return before + after
}

export function isEmptyLine({ before, after }: TypedLine): boolean {
  return before === '' && after === ''
}

/** The line after a key, as shells edit it. A key that does not edit leaves the line as it is. Pure. */
export function lineAfterKey(line: TypedLine, key: Key): TypedLine {
  const { before, after } = line
  if (typeof key === 'object') return { before: before + key.text, after }
  switch (key) {
    case 'backspace':
      return { before: withoutLast(before), after }
    case 'delete':
      return { before, after: withoutFirst(after) }
    case 'left':
      return splitAt(line, withoutLast(before).length)
    case 'right':
      return splitAt(line, textOf(line).length - withoutFirst(after).length)
    case 'word-left':
      return splitAt(line, withoutLastWord(before).length)
    case 'word-right':
      return splitAt(line, textOf(line).length - withoutFirstWord(after).length)
    case 'home':
      return { before: '', after: before + after }
    case 'end':
      return { before: before + after, after: '' }
    case 'ctrl-u':
      return { before: '', after }
    case 'ctrl-k':
      return { before, after: '' }
    case 'ctrl-w':
      return { before: withoutLastWord(before), after }
    default:
      return line
  }
}

function splitAt(line: TypedLine, index: number): TypedLine {
  const text = textOf(line)
  return { before: text.slice(0, index), after: text.slice(index) }
}

/** A character is what a person sees as one, however many units it has. */
function withoutLast(text: string): string {
  return charactersOf(text).slice(0, -1).join('')
}

function withoutFirst(text: string): string {
  return charactersOf(text).slice(1).join('')
}

/** The spaces at the end belong to the word. */
function withoutLastWord(text: string): string {
  return text.trimEnd().replace(/\S+$/u, '')
}

function withoutFirstWord(text: string): string {
  return text.trimStart().replace(/^\S+/u, '')
}
