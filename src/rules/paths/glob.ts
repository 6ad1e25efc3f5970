/** A text with wildcards: the texts between its stars. One text is no wildcard at all. */
export type Glob = readonly string[]

/** A star stands for any characters or none; a backslash makes the next character an ordinary one. Pure. */
export function globOf(text: string): Glob {
  const parts = ['']
  for (let index = 0; index < text.length; index += 1) {
    const char = text.charAt(index)
    if (char === '*') parts.push('')
    else parts[parts.length - 1] += char === '\\' ? text.charAt((index += 1)) : char
  }
  return parts
}

export function isLiteral(glob: Glob): boolean {
  return glob.length === 1
}

/** The time grows with the length of the text, not with the number of stars. */
export function globMatches(glob: Glob, text: string): boolean {
  const first = glob[0] ?? ''
  if (isLiteral(glob)) return text === first
  const last = glob.at(-1) ?? ''
  if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last))
    return false
  let position = first.length
  const end = text.length - last.length
  for (const part of glob.slice(1, -1)) {
    const found = text.indexOf(part, position)
    if (found < 0 || found + part.length > end) return false
    position = found + part.length
  }
  return true
}
