export interface ChangedLine {
  readonly sign: ' ' | '-' | '+'
  readonly text: string
}

/** How many lines are shown around a change. */
const AROUND = 2
/** A line that is longer is shortened to what differs, with so many characters around it. */
const LONG = 200
const NEAR = 20

/**
 * The lines that differ, with a few around them. Of a text that was changed in one place this is all there is to see; a change
 * in two places is shown with what lies between.
 */
export function changedLines(before: string, after: string): ChangedLine[] {
  const [old, fresh] = [linesOf(before), linesOf(after)]
  const most = Math.min(old.length, fresh.length)
  const head = countWhile(most, (index) => old[index] === fresh[index])
  const tail = countWhile(most - head, (index) => old.at(-1 - index) === fresh.at(-1 - index))
  const signed = (sign: ChangedLine['sign'], lines: readonly string[]) =>
    lines.map((text) => ({ sign, text }))
  const end = old.length - tail
  const [gone, added] = withoutCommonEnds(old.slice(head, end), fresh.slice(head, fresh.length - tail))
  return [
    ...signed(' ', old.slice(Math.max(0, head - AROUND), head)),
    ...signed('-', gone),
    ...signed('+', added),
    ...signed(' ', old.slice(end, end + AROUND)),
  ]
}

/** Of a long line, such as a file without line breaks, only the part that differs. */
function withoutCommonEnds(gone: string[], added: string[]): [string[], string[]] {
  const [[before, ...moreBefore], [after, ...moreAfter]] = [gone, added]
  if (before === undefined || after === undefined || moreBefore.length + moreAfter.length > 0)
    return [gone, added]
  const most = Math.min(before.length, after.length)
  if (most <= LONG) return [gone, added]
  const head = countWhile(most, (index) => before[index] === after[index])
  const tail = countWhile(most - head, (index) => before.at(-1 - index) === after.at(-1 - index))
  const part = (text: string) => `…${text.slice(Math.max(0, head - NEAR), text.length - tail + NEAR)}…`
  return [[part(before)], [part(after)]]
}

/** The line break at the end of a text begins no line. */
function linesOf(text: string): string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n')
}

function countWhile(most: number, holds: (index: number) => boolean): number {
  let count = 0
  while (count < most && holds(count)) count += 1
  return count
}
