import { randomBytes } from 'node:crypto'

/** So short that a line of `od` or `xxd` holds it whole, and lower case. */
export const newMark = (): string => `mk${randomBytes(6).toString('hex')}`

/** Whether a text shows the mark, or a file that begins with it, in one of the ways in which programs print files. */
export function shows(text: string, mark: string): boolean {
  const bytes = Buffer.from(mark)
  const hex = bytes.toString('hex')
  const ways = [
    mark,
    [...mark].toReversed().join(''),
    hex,
    bytes.subarray(0, 12).toString('base64'), // of the first bytes, because the last depend on what follows
  ]
  const joined = text.replaceAll(/\s+/g, '')
  const read = [text, joined, text.toLowerCase(), joined.toLowerCase()]
  return ways.some((way) => read.some((one) => one.includes(way)))
}
