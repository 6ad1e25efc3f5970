/**
 * Escapes every character that would be invisible, move the cursor, change colours or reverse the direction of writing, so
 * that a person who reads the text reads what would run. Newlines stay.
 */
export function visibleText(text: string): string {
  return withoutHidden(text, (character) => SHORT[character] ?? escapeOf(character))
}

/** Replaces every hidden character, newlines excepted. */
export function withoutHidden(text: string, escape: (character: string) => string): string {
  if (PLAIN.test(text)) return text
  hidden ??= new RegExp(HIDDEN, 'gu')
  return text.replace(hidden, escape)
}

const PLAIN = /^[\n -~]*$/

/**
 * Controls, formats (bidi, zero-width, tags), lone surrogates, fillers, and every space but the usual one. A text and not a
 * literal: Node reads the tables of Unicode for a literal when it loads the file, and most commands print plain text.
 */
const HIDDEN = String.raw`(?!\n)[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Zs}`
let hidden: RegExp | undefined

const SHORT: Readonly<Record<string, string>> = { '\t': '\\t', '\r': '\\r' }

function escapeOf(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`
}
