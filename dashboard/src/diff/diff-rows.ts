import { NO_NEWLINE } from '../../../src/preview/file-change.ts'
import { lineChanges } from '../../../src/text/line-changes.ts'

export interface Part {
  readonly text: string
  /** It is what differs from the line that this one replaces, or that replaces it. */
  readonly isChanged: boolean
}

/** A line of a diff. `number` counts in the file before for a removed line, in the file after for any other. */
export interface DiffRow {
  readonly mark: string
  readonly number?: number | undefined
  readonly parts: readonly Part[]
}

/** The lines of a diff with their numbers, if they have a place, and with what changed inside a line. Pure. */
export function diffRows(lines: readonly string[], isPlaced: boolean): DiffRow[] {
  let [before, after] = [1, 1]
  return withChangedParts(
    lines.map((line) => {
      const [mark, text] = [line[0] ?? ' ', line.slice(2)]
      if (mark === '@') {
        // `@ line 12` counts in the file before; what the parts above it added or removed moves the file after.
        const next = Number(/\d+/.exec(text)?.[0] ?? before)
        after += next - before
        before = next
        return { mark, text }
      }
      if (text === NO_NEWLINE) return { mark, text }
      const number = mark === '-' ? before : after
      if (mark !== '+') before++
      if (mark !== '-') after++
      return { mark, text, ...(isPlaced ? { number } : {}) }
    }),
  )
}

interface PlainRow {
  readonly mark: string
  readonly text: string
  readonly number?: number
}

/** A removed line belongs to the added line at the same place of the block that follows; other lines have no counterpart. */
function withChangedParts(rows: readonly PlainRow[]): DiffRow[] {
  const others = new Map<number, string>()
  for (let start = 0; start < rows.length; start++) {
    if (rows[start]?.mark !== '-') continue
    const middle = endOf(rows, start, '-')
    const end = endOf(rows, middle, '+')
    for (let at = 0; start + at < middle && middle + at < end; at++) {
      others.set(start + at, rows[middle + at]?.text ?? '')
      others.set(middle + at, rows[start + at]?.text ?? '')
    }
    start = end - 1
  }
  return rows.map(({ text, ...row }, index) => ({ ...row, parts: partsOf(text, others.get(index)) }))
}

function endOf(rows: readonly PlainRow[], start: number, mark: string): number {
  let end = start
  while (rows[end]?.mark === mark) end++
  return end
}

/** Joined again, the parts give the line. Where little is the same, nothing is marked: all of it is another line. */
function partsOf(text: string, other: string | undefined): Part[] {
  const whole = [{ text, isChanged: false }]
  if (other === undefined || text.length > MAX_LINE || other.length > MAX_LINE) return whole
  const words = lineChanges(wordsIn(other), wordsIn(text)).filter(({ mark }) => mark !== '-')
  const same = words.filter(({ mark }) => mark === ' ').reduce((sum, word) => sum + word.text.length, 0)
  if (same < text.trim().length * LEAST_SAME && same < other.trim().length * LEAST_SAME) return whole
  const parts: Part[] = []
  for (const { mark, text: word } of words) {
    const isChanged = mark === '+'
    const last = parts.at(-1)
    if (last?.isChanged === isChanged) parts[parts.length - 1] = { text: last.text + word, isChanged }
    else parts.push({ text: word, isChanged })
  }
  return parts.length === 0 ? whole : parts
}

function wordsIn(text: string): string[] {
  return text.match(/[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu) ?? []
}

const MAX_LINE = 1_000
const LEAST_SAME = 0.4
