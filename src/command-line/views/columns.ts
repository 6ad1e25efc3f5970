import stringWidth from 'string-width'

export interface Column {
  readonly title: string
  readonly cells: readonly string[]
  /** Cut off first where the lines are too long; the others are cut off from the right. */
  readonly flexible?: boolean
  readonly right?: boolean
  /** Colours a cell after it is aligned. */
  readonly paint?: (text: string, row: number) => string
}

const GAP = '  '
const LEAST = 6

/** Aligned lines, the titles first, none wider than `width`. */
export function alignedLines(given: readonly Column[], width: number): string[] {
  const columns = given.map((column) => ({ ...column, cells: column.cells.map((cell) => cut(cell, width)) }))
  const widths = fittingWidths(columns, width)
  const line = (cellOf: (column: Column) => string, row?: number) =>
    columns
      .map((column, at) => {
        const cell = padded(cut(cellOf(column), widths[at] ?? 0), widths[at] ?? 0, column.right)
        return row === undefined ? cell : (column.paint?.(cell, row) ?? cell)
      })
      .join(GAP)
      .trimEnd()
  const rows = columns[0]?.cells ?? []
  return [line(({ title }) => title), ...rows.map((_, row) => line(({ cells }) => cells[row] ?? '', row))]
}

/** Takes what is too wide from the flexible columns first, then from the right. */
function fittingWidths(columns: readonly Column[], width: number): number[] {
  const widths = columns.map(({ title, cells }) =>
    Math.max(...[title, ...cells].map((text) => widthOf(text))),
  )
  let over = widths.reduce((sum, each) => sum + each + GAP.length, -GAP.length) - width
  const order = [...columns.keys()].toSorted(
    (a, b) => Number(columns[b]?.flexible === true) - Number(columns[a]?.flexible === true) || b - a,
  )
  // On a very narrow screen a cell may be only a letter wide.
  for (const least of [LEAST, 1])
    for (const at of order) {
      const taken = Math.min(Math.max(over, 0), Math.max(0, (widths[at] ?? 0) - least))
      widths[at] = (widths[at] ?? 0) - taken
      over -= taken
    }
  return widths
}

/** At most this wide; an ellipsis shows that something was cut off. */
export function cut(text: string, width: number): string {
  if (fits(text, width)) return text
  let shown = ''
  let used = 1
  for (const character of eachCharacter(text)) {
    used += widthOf(character)
    if (used > width) break
    shown += character
  }
  return `${shown}…`
}

/** The rows that a line takes, at most `limit` of them, broken after a space if there is one; all its characters are there. */
export function wrapped(text: string, width: number, limit = Number.POSITIVE_INFINITY): string[] {
  if (fits(text, width)) return [text]
  const indent = (/^ */.exec(text)?.[0] ?? '').slice(0, width / 2)
  const rows: string[] = []
  let row: string[] = []
  let used = 0
  for (const character of eachCharacter(text)) {
    const wide = widthOf(character)
    if (used + wide > width && row.length > 0) {
      const end = row.lastIndexOf(' ') + 1
      const left = end > width / 2 ? row.splice(end) : []
      rows.push(row.join(''))
      if (rows.length >= limit) return rows
      row = [indent, CONTINUED, ...left]
      used = widthOf(row.join(''))
    }
    row.push(character)
    used += wide
  }
  return [...rows, row.join('')]
}

const CONTINUED = '… '

/** Words side by side, in as few rows as the width allows; none is broken. */
export function packed(words: readonly string[], width: number): string[] {
  const rows: string[] = []
  for (const word of words) {
    const last = rows.at(-1)
    const joined = last === undefined ? word : last + GAP + word
    if (last === undefined || widthOf(joined) > width) rows.push(cut(word, width))
    else rows[rows.length - 1] = joined
  }
  return rows
}

/** A text that is much longer than the screen is not measured whole. */
function fits(text: string, width: number): boolean {
  if (width === Number.POSITIVE_INFINITY) return true
  return text.length <= width * LONGEST && widthOf(text) <= width
}

/** Characters of a screen have at most so many units on average, unless somebody makes a point of it. */
const LONGEST = 20

/** What a person sees as one character each. */
export function charactersOf(text: string): string[] {
  return [...eachCharacter(text)]
}

function* eachCharacter(text: string): Generator<string> {
  // oxlint-disable-next-line no-control-regex -- where every character is one unit, nothing has to be looked up
  if (/^[\u0000-\u007F]*$/.test(text)) for (let at = 0; at < text.length; at++) yield text.charAt(at)
  else for (const { segment } of (segmenter ??= new Intl.Segmenter()).segment(text)) yield segment
}

/** Made when it is needed: that takes longer than many a command. */
let segmenter: Intl.Segmenter | undefined

function padded(text: string, width: number, right = false): string {
  const space = ' '.repeat(Math.max(0, width - widthOf(text)))
  return right ? space + text : text + space
}

/** The columns that a text takes. Plain text is counted without the tables of wide characters, which are slow for long ones. */
export function widthOf(text: string): number {
  return PLAIN.test(text) ? text.length : stringWidth(text)
}

const PLAIN = /^[ -~]*$/
