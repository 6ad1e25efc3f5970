/** What to write so that a screen with the lines `before` shows `after`: only lines that differ, each in its place. */
export function changedLines(before: readonly string[], after: readonly string[]): string {
  return after
    .flatMap((line, row) => (line === before[row] ? [] : `\u001B[${row + 1};1H${line}\u001B[K`))
    .join('')
}
