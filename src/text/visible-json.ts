import { withoutHidden } from './visible-text.ts'

/** JSON in one line, with every character that could do something to a terminal as an escape. It means the same. */
export function visibleJson(value: unknown): string {
  return withEscapes(JSON.stringify(value))
}

/** The same for a text that is JSON already. */
export function withEscapes(json: string): string {
  return withoutHidden(json, escaped)
}

function escaped(character: string): string {
  return Array.from(
    { length: character.length },
    (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`,
  ).join('')
}
