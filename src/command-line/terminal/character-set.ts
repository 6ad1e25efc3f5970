type Env = Readonly<Record<string, string | undefined>>

/** Whether the terminal reads UTF-8, by the variables that say so. */
export function isUtf8(env: Env): boolean {
  const locale = env['LC_ALL'] || env['LC_CTYPE'] || env['LANG'] || ''
  return /utf-?8/i.test(locale)
}

/**
 * For a terminal that does not read UTF-8: our own marks in ASCII, and any other character as its number. There, the bytes of a
 * letter may be a control character.
 */
export function asciiText(text: string): string {
  // oxlint-disable-next-line no-control-regex -- all that is not ASCII
  return text.replace(/[^\u0000-\u007F]/gu, (character) => MARKS.get(character) ?? numberOf(character))
}

function numberOf(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`
}

/** Each as wide as the mark that it replaces. */
const MARKS: ReadonlyMap<string, string> = new Map([
  ['…', '~'],
  ['─', '-'],
  ['·', '-'],
  ['⏎', '|'],
])
