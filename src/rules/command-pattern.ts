import { type Glob, globMatches, globOf, isLiteral } from './paths/glob.ts'

/** One word of a pattern: its alternatives, or a star that stands for any number of words. */
type Token = readonly Glob[] | 'any words'

/** A pattern of a command, such as `git status|log *`: words, `|` between alternatives, `*` for any text. */
export interface CommandPattern {
  readonly text: string
  readonly tokens: readonly Token[]
  /** The words between the stars that stand for any words; a pattern without such a star has one part. */
  readonly parts: readonly (readonly (readonly Glob[])[])[]
}

/** A word of a command; undefined if only the shell knows it. */
type Words = readonly (string | undefined)[]

/** Pure. A backslash makes a space, `|`, `*` or backslash an ordinary character. */
export function commandPatternOf(text: string): CommandPattern {
  const words = text.match(/(?:\\[^]|[^\s\\])+/g) ?? []
  const tokens = words.map((word) => (word === '*' ? 'any words' : alternativesOf(word)))
  return { text, tokens, parts: partsBetweenStars(tokens) }
}

function alternativesOf(word: string): Glob[] {
  return (word.match(/(?:\\[^]|[^|\\])+/g) ?? []).map(globOf)
}

/** Whether these words are such a command. A word that only the shell knows is matched by a star of its own and by nothing else. */
export function patternMatches({ parts }: CommandPattern, words: Words): boolean {
  const first = parts[0] ?? []
  if (parts.length === 1) return words.length === first.length && fitsAt(first, words, 0)
  const last = parts.at(-1) ?? []
  const end = words.length - last.length
  if (end < first.length || !fitsAt(first, words, 0) || !fitsAt(last, words, end)) return false
  let position = first.length
  for (const part of parts.length > 2 ? parts.slice(1, -1) : []) {
    while (position + part.length <= end && !fitsAt(part, words, position)) position += 1
    if (position + part.length > end) return false
    position += part.length
  }
  return true
}

/** Whether a word of the pattern says this option, and not only a star. */
export function patternNames({ tokens }: CommandPattern, word: string, option: string): boolean {
  return tokens.some(
    (token) =>
      token !== 'any words' &&
      token.some((glob) => (glob[0] ?? '').startsWith(option) && globMatches(glob, word)),
  )
}

/** Whether they could be such a command once the shell has made its words: rather too often than too seldom. */
export function patternCouldMatch(pattern: CommandPattern, words: Words): boolean {
  const unknown = words.indexOf(undefined)
  if (unknown < 0) return patternMatches(pattern, words)
  const [first = [], ...others] = pattern.parts
  if (others.length === 0 && first.length < unknown) return false
  return fitsAt(first.slice(0, unknown), words, 0)
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
  for (let index = 0; index < tokens.length; index += 1) {
    const word = words[start + index]
    if (word === undefined || !oneMatches(tokens[index] ?? [], word)) return false
  }
  return true
}

function oneMatches(globs: readonly Glob[], word: string): boolean {
  for (const glob of globs) if (globMatches(glob, word)) return true
  return false
}
