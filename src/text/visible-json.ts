import { HIDDEN } from './visible-text.ts'

/** JSON in one line, with every character that could do something to a terminal as an escape. It means the same. */
export function visibleJson(value: unknown): string {
  return JSON.stringify(value).replace(HIDDEN, escaped)
}

function escaped(character: string): string {
  return Array.from(
    { length: character.length },
    (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`,
  ).join('')
}
