/** What to write so that a screen with the lines `before` shows `after`: only lines that differ, each in its place. */
export function changedLines(before: readonly string[], after: readonly string[]): string {
  return after
    .flatMap((line, row) => (line === before[row] ? [] : `\u001B[${row + 1};1H${line}\u001B[K`))
    .join('')
}

/** Shows the cursor in this place of the screen, or hides it. */
export function placedCursor(place: { readonly row: number; readonly column: number } | undefined): string {
  return place ? `\u001B[${place.row + 1};${place.column + 1}H\u001B[?25h` : '\u001B[?25l'
}
