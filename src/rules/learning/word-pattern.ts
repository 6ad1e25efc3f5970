/** A word as a pattern writes it: only itself matches. Undefined if no pattern can say it. Pure. */
export function literalWord(word: string): string | undefined {
  if (word === '' || /\p{Cc}/u.test(word)) return undefined
  return word.replace(/[\\|*\s]/gu, String.raw`\$&`)
}

/** Words as a pattern that only they match; undefined if a word cannot be said, or only the shell knows it. */
export function literalWords(words: readonly (string | undefined)[]): string[] | undefined {
  const said: string[] = []
  for (const word of words) {
    const text = word === undefined ? undefined : literalWord(word)
    if (text === undefined) return undefined
    said.push(text)
  }
  return said
}

/** A word that names something, such as a subcommand or a script; not an option, a path, a text or a value. */
export function isPlainWord(word: string): boolean {
  return /^[a-z]\w*(?:[:-]\w+)*$/i.test(word)
}
