import { charactersOf, widthOf } from '../views/columns.ts'

/**
 * The rows that a line of a log takes, broken between words; only a word that is wider than a row is cut. Rows after the first
 * begin below the text and never at the edge: the marks are there, which a session cannot write. Pure.
 */
export function wordRows(line: string, width: number): string[] {
  if (line.length <= width && widthOf(line) <= width) return [line]
  const start = START.exec(line)?.[0] ?? ''
  const indent = Math.min(start.length, Math.floor(width / 2))
  const free = width - indent
  const rows: string[] = []
  let row = ''
  /** What separates two words; at the end of a row it is dropped. */
  let space = ''
  for (const word of line.slice(start.length).split(/( +)/)) {
    if (word.startsWith(' ')) space = word
    else if (row !== '' && widthOf(row) + space.length + widthOf(word) <= free) row += space + word
    else {
      if (row !== '') rows.push(row)
      const parts = cutWord(word, free)
      row = parts.pop() ?? ''
      rows.push(...parts)
    }
  }
  if (row !== '') rows.push(row)
  return rows.map((text, at) => (at === 0 ? start.slice(0, indent) : ' '.repeat(indent)) + text)
}

/** The mark of a line and the spaces in front of its text. */
const START = /^(?:[>*=.!~+?] )? */

function cutWord(word: string, width: number): string[] {
  if (widthOf(word) <= width) return [word]
  const parts: string[] = []
  let part = ''
  let used = 0
  for (const character of charactersOf(word)) {
    const wide = widthOf(character)
    if (used + wide > width && part !== '') {
      parts.push(part)
      ;[part, used] = ['', 0]
    }
    part += character
    used += wide
  }
  return [...parts, part]
}
