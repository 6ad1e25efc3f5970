/** A line of a change: it stays, it is removed, or it is added. */
export interface ChangedLine {
  readonly mark: ' ' | '-' | '+'
  readonly text: string
}

/** The lines of both texts in the order of a diff. Pure. */
export function lineChanges(before: readonly string[], after: readonly string[]): ChangedLine[] {
  const start = commonStart(before, after)
  const end = commonStart(before.slice(start).toReversed(), after.slice(start).toReversed())
  return [
    ...marked(' ', before.slice(0, start)),
    ...changesBetween(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    ...marked(' ', before.slice(before.length - end)),
  ]
}

function commonStart(one: readonly string[], other: readonly string[]): number {
  const index = one.findIndex((line, at) => at >= other.length || line !== other[at])
  return index === -1 ? one.length : index
}

/** By the longest common subsequence; where its table would be too large, everything is removed and added. */
function changesBetween(before: readonly string[], after: readonly string[]): ChangedLine[] {
  const width = after.length + 1
  if (before.length === 0 || after.length === 0 || before.length * after.length > MAX_CELLS)
    return [...marked('-', before), ...marked('+', after)]
  const lengths = new Uint32Array((before.length + 1) * width)
  const lengthAt = (row: number, column: number) => lengths[row * width + column] ?? 0
  for (let row = before.length - 1; row >= 0; row--)
    for (let column = after.length - 1; column >= 0; column--)
      lengths[row * width + column] =
        before[row] === after[column]
          ? lengthAt(row + 1, column + 1) + 1
          : Math.max(lengthAt(row + 1, column), lengthAt(row, column + 1))
  const changes: ChangedLine[] = []
  let [row, column] = [0, 0]
  while (row < before.length && column < after.length) {
    const [old = '', added = ''] = [before[row], after[column]]
    if (old === added) {
      changes.push({ mark: ' ', text: old })
      row++
      column++
    } else if (lengthAt(row + 1, column) >= lengthAt(row, column + 1)) {
      changes.push({ mark: '-', text: old })
      row++
    } else {
      changes.push({ mark: '+', text: added })
      column++
    }
  }
  return [...changes, ...marked('-', before.slice(row)), ...marked('+', after.slice(column))]
}

function marked(mark: ChangedLine['mark'], lines: readonly string[]): ChangedLine[] {
  return lines.map((text) => ({ mark, text }))
}

const MAX_CELLS = 1_000_000
