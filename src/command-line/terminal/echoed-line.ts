import { charactersOf, widthOf } from '../views/columns.ts'
import { type TypedLine, textOf } from './typed-line.ts'

/**
 * What to write so that a terminal which shows one line shows the other, with the cursor in its place. Only backspace moves the
 * cursor, which every terminal can do, so this is for a line that fits into one row. Pure.
 */
export function echoed(shown: TypedLine, line: TypedLine): string {
  const same = commonStart(textOf(shown), textOf(line))
  const rest = textOf(line).slice(same.length)
  const from = widthOf(shown.before)
  const start = widthOf(same)
  const isSame = rest === '' && textOf(shown).length === same.length
  // Only the cursor moves: to the right by writing again what is there.
  if (isSame) return movement(line, from, widthOf(line.before))
  const gone = ' '.repeat(Math.max(0, widthOf(textOf(shown)) - start - widthOf(rest)))
  const end = start + widthOf(rest) + gone.length
  return movement(shown, from, start) + rest + gone + '\b'.repeat(end - widthOf(line.before))
}

function movement(line: TypedLine, from: number, to: number): string {
  if (to <= from) return '\b'.repeat(from - to)
  let column = 0
  const passed = charactersOf(textOf(line)).filter((character) => {
    const start = column
    column += widthOf(character)
    return start >= from && start < to
  })
  return passed.join('')
}

function commonStart(a: string, b: string): string {
  const [left, right] = [charactersOf(a), charactersOf(b)]
  const end = left.findIndex((character, index) => character !== right[index])
  return left.slice(0, end === -1 ? left.length : end).join('')
}
