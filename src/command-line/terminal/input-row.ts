import { visibleText } from '../../text/visible-text.ts'
import { charactersOf, widthOf } from '../views/columns.ts'
import type { TypedLine } from './typed-line.ts'

/** A line that is typed, in one row of a screen, and the column in which the cursor stands. */
export interface InputRow {
  readonly row: string
  readonly cursor: number
}

/** Of a line that is too long, the part around the cursor: what is being typed is always in view. Pure. */
export function inputRow(
  label: string,
  { before, after }: TypedLine,
  { width, encode }: { readonly width: number; readonly encode: (text: string) => string },
): InputRow {
  const left = encode(label + visibleText(before))
  const right = encode(visibleText(after))
  const used = widthOf(left)
  if (used + widthOf(right) <= width) return { row: left + right, cursor: used }
  const mark = encode(CUT)
  // Some of what stands after the cursor stays in view, so that a person sees where in the line they are.
  const ahead = Math.min(widthOf(right), Math.floor(width / 3))
  const isCut = used > width - ahead
  const shown = isCut ? mark + lastPart(left, width - ahead - widthOf(mark)) : left
  const cursor = widthOf(shown)
  const room = width - cursor
  const rest = widthOf(right) <= room ? right : firstPart(right, room - widthOf(mark)) + mark
  return { row: shown + (room >= widthOf(mark) ? rest : ''), cursor }
}

const CUT = '…'

function firstPart(text: string, width: number): string {
  return fitting(charactersOf(text), width).join('')
}

function lastPart(text: string, width: number): string {
  return fitting(charactersOf(text).toReversed(), width).toReversed().join('')
}

function fitting(characters: readonly string[], width: number): string[] {
  let used = 0
  const end = characters.findIndex((character) => (used += widthOf(character)) > width)
  return characters.slice(0, end === -1 ? characters.length : end)
}
