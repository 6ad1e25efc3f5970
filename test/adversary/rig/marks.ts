import { randomBytes } from 'node:crypto'

/** So short that a line of `od` or `xxd` holds it whole, and lower case. */
export const newMark = (): string => `mk${randomBytes(6).toString('hex')}`

/** Whether a text shows the mark, or a file that begins with it, in one of the ways in which programs print files. */
export function shows(text: string, mark: string): boolean {
  const bytes = Buffer.from(mark)
  const hex = bytes.toString('hex')
  const ways = [
    mark,
    Buffer.from(bytes.toReversed()).toString(),
    hex,
    bytes.subarray(0, 12).toString('base64'), // of the first bytes, because the last depend on what follows
  ]
  const joined = text.replaceAll(/\s+/g, '')
  const read = [text, joined, text.toLowerCase(), joined.toLowerCase(), ...columnsOf(text)]
  return ways.some((way) => read.some((one) => one.includes(way)))
}

/** What stands below each other: `cmp` prints a file a byte a line, with words before and behind. */
function columnsOf(text: string): string[] {
  const lines = text.split('\n').map((line) => line.trim().split(/\s+/))
  const width = Math.min(Math.max(...lines.map((words) => words.length)), 8)
  return Array.from({ length: width }, (_, column) => lines.map((words) => words[column] ?? '').join(''))
}
