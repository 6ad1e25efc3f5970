import { parse, type ParsedScript } from 'unbash'

/**
 * The line as bash parses it; undefined if it does not parse, or could take long to parse: a child must not be able to keep
 * the hub busy, or to make it fail, by what it asks for. Pure.
 */
export function parseLine(line: string): ParsedScript | undefined {
  if (line.length > MAX_CHARACTERS || line.includes('$[')) return undefined
  if (countOf(line, '{') > MAX_OPENED || countOf(line, '<<') > MAX_OPENED) return undefined
  try {
    const script = parse(line)
    return script.errors ? undefined : script
  } catch {
    return undefined // the parser recurses, and a line can be nested too deep for it
  }
}

function countOf(line: string, text: string): number {
  let count = 0
  for (let index = line.indexOf(text); index >= 0; index = line.indexOf(text, index + text.length)) count += 1
  return count
}

export const MAX_CHARACTERS = 20_000

/** For each of these that is open, and for each `$[`, the parser reads the rest of the line again. */
const MAX_OPENED = 400
