/** A text in lines of whole words, none longer than `columns` unless one word is. Lines after the first have the same indent. Pure. */
export function wordLines(text: string, columns: number): string[] {
  if (text.length <= columns) return [text]
  const [indent = ''] = /^ */.exec(text) ?? []
  const lines: string[] = []
  for (const word of text.slice(indent.length).split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= columns)
      lines[lines.length - 1] = `${last} ${word}`
    else lines.push(indent + word)
  }
  return lines
}
