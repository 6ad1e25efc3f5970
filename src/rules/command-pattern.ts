import { nameOf } from '../shell/programs-that-run-programs.ts'
import { type Glob, globMatches, globOf, isLiteral } from './glob.ts'

/** One word of a pattern: its alternatives, or a star that stands for any number of words. */
type Token = readonly Glob[] | 'any words'

/** A pattern of a command, such as `git status|log *`: words, `|` between alternatives, `*` for any text. */
export interface CommandPattern {
  readonly text: string
  readonly tokens: readonly Token[]
}

/** A word of a command; undefined if only the shell knows it. */
type Words = readonly (string | undefined)[]

/** Pure. A backslash makes a space, `|`, `*` or backslash an ordinary character. */
export function commandPatternOf(text: string): CommandPattern {
  const words = text.match(/(?:\\[^]|[^\s\\])+/g) ?? []
  return { text, tokens: words.map((word) => (word === '*' ? 'any words' : alternativesOf(word))) }
}

function alternativesOf(word: string): Glob[] {
  return (word.match(/(?:\\[^]|[^|\\])+/g) ?? []).map(globOf)
}

/** Whether these words are such a command. A word that only the shell knows is matched by a star of its own and by nothing else. */
export function patternMatches({ tokens }: CommandPattern, words: Words): boolean {
  const parts = partsBetweenStars(tokens)
  const [first = []] = parts
  if (parts.length === 1) return words.length === first.length && fitsAt(first, words, 0)
  const last = parts.at(-1) ?? []
  const end = words.length - last.length
  if (end < first.length || !fitsAt(first, words, 0) || !fitsAt(last, words, end)) return false
  let position = first.length
  for (const part of parts.slice(1, -1)) {
    while (position + part.length <= end && !fitsAt(part, words, position)) position += 1
    if (position + part.length > end) return false
    position += part.length
  }
  return true
}

/** Whether they could be such a command once the shell has made its words: rather too often than too seldom. */
export function patternCouldMatch(pattern: CommandPattern, words: Words): boolean {
  const unknown = words.indexOf(undefined)
  if (unknown < 0) return patternMatches(pattern, words)
  const [first = [], ...others] = partsBetweenStars(pattern.tokens)
  if (others.length === 0 && first.length < unknown) return false
  return fitsAt(first.slice(0, unknown), words, 0)
}

/** For rules that refuse: the program counts by its name, wherever it lies and however its letters are. */
export function withPlainProgram(words: Words): Words {
  const [program, ...rest] = words
  if (program === undefined) return words
  // Its words are read already: a folder may have any character in its name, and a tilde is a folder too.
  const last = program.slice(program.lastIndexOf('/') + 1).toLowerCase()
  return [nameOf(program) ?? (last === '' ? program : last), ...rest]
}

/** The literal words at the start of a pattern, each with its alternatives, up to two: by these a rule is found quickly. */
export function literalStart({ tokens }: CommandPattern): readonly (readonly string[])[] {
  const start: string[][] = []
  for (const token of tokens.slice(0, 2)) {
    if (token === 'any words' || !token.every(isLiteral)) break
    start.push(token.map(([text = '']) => text))
  }
  return start
}

/** The words before the first wildcard. */
export function fixedWords({ tokens }: CommandPattern): string[][] {
  const open = tokens.findIndex((token) => token === 'any words' || !token.every(isLiteral))
  return tokens
    .slice(0, open < 0 ? tokens.length : open)
    .map((token) => (token === 'any words' ? [] : token.map(([text = '']) => text)))
}

export function hasWildcard({ tokens }: CommandPattern): boolean {
  return tokens.some((token) => token === 'any words' || !token.every(isLiteral))
}

function partsBetweenStars(tokens: readonly Token[]): (readonly Glob[])[][] {
  const parts: (readonly Glob[])[][] = [[]]
  for (const token of tokens) {
    if (token === 'any words') parts.push([])
    else parts.at(-1)?.push(token)
  }
  return parts
}

function fitsAt(tokens: readonly (readonly Glob[])[], words: Words, start: number): boolean {
  return tokens.every((token, index) => {
    const word = words[start + index]
    return word !== undefined && token.some((glob) => globMatches(glob, word))
  })
}
