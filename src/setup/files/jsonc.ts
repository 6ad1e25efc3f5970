/** A part of an object or array: its key, if it has one, and its value. From `start` to `end` it is all its own text. */
interface JsonPart {
  readonly key?: string
  readonly start: number
  readonly end: number
  readonly node: JsonNode
}

/** A value in the text of a JSON file, with its place. */
export interface JsonNode {
  readonly start: number
  readonly end: number
  readonly kind: 'object' | 'array' | 'scalar'
  readonly value: unknown
  readonly parts: readonly JsonPart[]
}

const TRIVIA = /(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)*/y
// Runs of plain characters are matched at once: a text of megabytes would otherwise exhaust the stack.
// oxlint-disable-next-line no-control-regex -- JSON allows none of them in a text
const STRING = /"[^"\\\u0000-\u001F]*(?:\\.[^"\\\u0000-\u001F]*)*"/y
const WORD = /[\w.+-]+/y
/** Far more than settings have, and far less than the stack. */
const MAX_DEPTH = 200

/** JSON, with comments and trailing commas as editors allow them. Throws a SyntaxError that names the line. */
export function parseJsonc(text: string): JsonNode {
  const node = valueAt(text, skipTrivia(text, 0), 0)
  const rest = skipTrivia(text, node.end)
  return rest === text.length ? node : fail(text, rest)
}

/** The next position that is neither space nor comment. */
export function skipTrivia(text: string, from: number): number {
  return from + (match(TRIVIA, text, from)?.length ?? 0)
}

function valueAt(text: string, start: number, depth: number): JsonNode {
  const [open] = text.slice(start, start + 1)
  if (open === '{' || open === '[') return listAt(text, start, depth)
  const word = match(open === '"' ? STRING : WORD, text, start) ?? fail(text, start)
  return { start, end: start + word.length, kind: 'scalar', value: scalar(word, text, start), parts: [] }
}

function listAt(text: string, start: number, depth: number): JsonNode {
  if (depth > MAX_DEPTH) fail(text, start)
  const kind = text[start] === '{' ? 'object' : 'array'
  const close = kind === 'object' ? '}' : ']'
  const parts: JsonPart[] = []
  let next = skipTrivia(text, start + 1)
  while (text[next] !== close) {
    const part = kind === 'object' ? memberAt(text, next, depth) : itemAt(text, next, depth)
    parts.push(part)
    next = skipTrivia(text, part.end)
    if (text[next] === ',') next = skipTrivia(text, next + 1)
    else if (text[next] !== close) fail(text, next)
  }
  const value =
    kind === 'object'
      ? Object.fromEntries(parts.map(({ key, node }) => [key, node.value]))
      : parts.map(({ node }) => node.value)
  return { start, end: next + 1, kind, value, parts }
}

function memberAt(text: string, start: number, depth: number): JsonPart {
  const word = match(STRING, text, start) ?? fail(text, start)
  const colon = skipTrivia(text, start + word.length)
  if (text[colon] !== ':') fail(text, colon)
  const node = valueAt(text, skipTrivia(text, colon + 1), depth + 1)
  return { key: String(scalar(word, text, start)), start, end: node.end, node }
}

function itemAt(text: string, start: number, depth: number): JsonPart {
  const node = valueAt(text, start, depth + 1)
  return { start, end: node.end, node }
}

function scalar(word: string, text: string, start: number): unknown {
  try {
    return JSON.parse(word)
  } catch {
    return fail(text, start)
  }
}

function match(pattern: RegExp, text: string, from: number): string | undefined {
  pattern.lastIndex = from
  return pattern.exec(text)?.[0]
}

function fail(text: string, position: number): never {
  throw new SyntaxError(`line ${text.slice(0, position).split('\n').length}`)
}
