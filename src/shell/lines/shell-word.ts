import type { Word, WordPart } from 'unbash'

/** A word as the shell passes it on: its text, or a pattern that the shell replaces by the names of files. */
export interface ShellWord {
  readonly text: string
  readonly pattern: boolean
}

/** Undefined if only the shell knows what becomes of the word. */
export function literal(word: Word): ShellWord | undefined {
  const { text } = word
  // Most words are plain. The parser reads the parts and the value of a word when they are asked for, which takes longer.
  if (PLAIN.test(text))
    return { text: isQuote(text.charCodeAt(0)) ? text.slice(1, -1) : text, pattern: false }
  // `~` is a folder, and `=name` the path of a program where the shell is zsh.
  if (text.startsWith('~') || text.startsWith('=')) return undefined
  const { value, parts } = word
  if (!parts) return { text: value, pattern: false }
  if (!parts.every(isFixed)) return undefined
  const pattern = parts.some(({ type }) => type === 'Glob')
  // In a pattern a quoted part is literal, which its text alone does not show.
  if (pattern && parts.some(isQuoted)) return undefined
  return { text: value, pattern }
}

/** An argument such as `--option=value` that parses as an assignment: only if nothing in it is special to the shell. */
export function literalText(text: string): ShellWord | undefined {
  return PLAIN_ASSIGNMENT.test(text) ? { text, pattern: false } : undefined
}

/** Whether the shell passes this part on as it is written. */
export function isFixed(part: WordPart): boolean {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
    case 'AnsiCQuoted':
    case 'Glob':
      return true
    case 'DoubleQuoted':
      return part.parts.every(isFixed)
    case 'SimpleExpansion':
      return part.text === '$?'
    default:
      return false
  }
}

function isQuoted({ type }: WordPart): boolean {
  return type !== 'Literal' && type !== 'Glob'
}

function isQuote(code: number): boolean {
  return code === 0x22 || code === 0x27
}

/** Nothing special to a shell wherever it stands, or all of it in quotes in which nothing is special. */
const PLAIN = /^(?:[\w.,:/@%+-]+|"[\w .,:/@%+=()-]*"|'[\w .,:/@%+=()-]*')$/
const PLAIN_ASSIGNMENT = /^[\w.,:/@%+=-]+$/
